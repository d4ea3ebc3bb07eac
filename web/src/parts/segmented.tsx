import { worded } from "../state/words";

interface SegmentedProps<T extends string> {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}

export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>) {
  return (
    <fieldset class="segmented">
      <legend class="hidden">{label}</legend>
      {options.map(([key, text]) => (
        <label key={key} class={key === value ? "on" : ""}>
          <input type="radio" name={label} value={key} checked={key === value} onChange={() => onChange(key)} />
          {worded(text)}
        </label>
      ))}
    </fieldset>
  );
}
