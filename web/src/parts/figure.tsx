/** A number of a list of them: what it counts, and a word on it. */
export function Figure({ label, value, note }: { label: string; value: string; note: string }) {
  return (
    <div>
      <dt>
        {label}
        {note && <small>{note}</small>}
      </dt>
      <dd>{value}</dd>
    </div>
  );
}
