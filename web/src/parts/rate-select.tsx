// Chooses how many of the questions are of some sort.
import { percent } from "./text";

const RATES = [
  [0, "None"],
  [0.05, "One in twenty"],
  [0.1, "One in ten"],
  [0.2, "One in five"],
] as const;

interface Props {
  label: string;
  value: number;
  onChange: (rate: number) => void;
}

export function RateSelect({ label, value, onChange }: Props) {
  const isUsual = RATES.some(([rate]) => rate === value);
  return (
    <label class="field">
      {label}
      <select value={String(value)} onChange={(event) => onChange(Number(event.currentTarget.value))}>
        {!isUsual && <option value={String(value)}>{percent(value)}</option>}
        {RATES.map(([rate, text]) => (
          <option key={rate} value={String(rate)}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
