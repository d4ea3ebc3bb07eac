export function Loading({ what }: { what: string }) {
  return (
    <p class="quiet loading" role="status">
      {what}
    </p>
  );
}
