export function LightsPage() { return <main />; }
