export function TalksPage() { return <main />; }
