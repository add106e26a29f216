export function EventsPage() { return <main />; }
