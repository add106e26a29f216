export function DocsPage() { return <main />; }
