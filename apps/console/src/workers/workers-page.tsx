/** Health of the message streams the workers live on. */
export function WorkersPage() {
  return (
    <main>
      <h1>Workers</h1>
      <p role="status">Loading...</p>
    </main>
  );
}
