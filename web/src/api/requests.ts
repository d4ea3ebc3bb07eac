// Requests to the server: reads once, writes until they are answered.
import { Refused } from "./refused";
import { sendUntilAnswered } from "./retry";

export const annotator = (): string => localStorage.getItem("annotator") || "me";

async function read<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const body = await response.json().catch(() => ({ detail: response.statusText }));
  throw new Refused(response.status, String(body.detail), body.breaks ?? []);
}

export async function get<T>(path: string): Promise<T> {
  return read<T>(await fetch(`/api/${path}`));
}

export function send<T>(path: string, form: object, method = "POST"): Promise<T> {
  const request = { method, body: JSON.stringify(form), headers: { "Content-Type": "application/json" } };
  return sendUntilAnswered(async () => read<T>(await fetch(`/api/${path}`, request)), "key" in form);
}

// not crypto.randomUUID, which pages without TLS do not have
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A form with the name of the person and a key of its own, by which the server knows it when it comes again. */
export const signed = (form: object): object => ({ key: newKey(), annotator: annotator(), ...form });
