/** What tools get and give, as the service reads it. */

const LONGEST = 1_000_000 // characters

let unknown = 0

/** A result as text. Two results that are not known in full are never equal. */
export function asText(value: unknown): string {
  const text = typeof value === "string" ? value : written(value)
  if (text !== undefined && text.length <= LONGEST) return text
  unknown += 1
  return `${text?.slice(0, LONGEST) ?? ""}\n[the rest is not known: ${unknown}]`
}

/** Why a tool failed, as the model reads it. */
export function asError(error: unknown): string {
  return error instanceof Error ? asText(error.message) : asText(error)
}

/** Arguments that can be sent as JSON. */
export function asArguments(value: unknown): unknown {
  const text = written(value ?? {})
  return text ? JSON.parse(text) : { value: asText(value) }
}

function written(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) ?? ""
  } catch {
    return undefined
  }
}
