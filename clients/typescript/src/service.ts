/** The client of the local service: one event, one answer. */

import process from "node:process"

import { type Address, address, checkUrl } from "./address.js"

/** What the service says to an event: nothing, or one of the three, with its reason. */
export interface Answer {
  tell?: string
  deny?: string
  stop?: string
  reason?: string
}

export interface ServiceOptions extends Partial<Address> {
  /** Milliseconds after which the agent goes on without an answer; HEADWAY_TIMEOUT in the environment, or else 500. */
  timeout?: number
  /** Called once if the service cannot be asked; `console.warn` unless given. */
  warn?: (text: string) => void
}

const PAUSE = 5_000 // milliseconds without questions after one that failed

/** The service refuses every event like this one: for example, a setting is wrong. */
export class RejectedError extends Error {}

/** The service asks for another token. */
class TokenError extends Error {}

const RUNNING = "Is `headway serve` running?"
const TOKEN = "The token does not fit: set HEADWAY_TOKEN to that of the service, or HEADWAY_STATE_DIR to its state folder."

export class Service {
  readonly #given: Partial<Address>
  /** Milliseconds that an answer may take. */
  readonly timeout: number
  readonly #warn: (text: string) => void
  #found: Promise<Address> | undefined
  #silentUntil = 0
  #hasWarned = false

  constructor({ url, token, timeout, warn = console.warn }: ServiceOptions) {
    if (url) checkUrl(url, token)
    this.#given = { ...(url && { url }), ...(token && { token }) }
    this.timeout = timeout ?? (Number(process.env.HEADWAY_TIMEOUT) || 500)
    this.#warn = warn
  }

  /** Whether a question failed a moment ago, so that none is asked now. */
  get isSilent(): boolean {
    return performance.now() < this.#silentUntil
  }

  /** Ask. Rejects if there is no answer that can be understood; the warning was given then. */
  async ask(path: string, event: object): Promise<Answer> {
    try {
      return await this.#asked(path, event)
    } catch (error) {
      this.#found = undefined // the next service may listen elsewhere
      if (!(error instanceof RejectedError)) this.#silentUntil = performance.now() + PAUSE
      this.warn(error)
      throw error
    }
  }

  /** Say once that agents are not watched, and why. */
  warn(error: unknown): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    try {
      this.#warn(`Headway does not watch this agent: ${why(error)}. ${error instanceof TokenError ? TOKEN : RUNNING}`)
    } catch {
      // a logger that fails must not end the run
    }
  }

  async #asked(path: string, event: object): Promise<Answer> {
    const { url, token } = await (this.#found ??= address(this.#given))
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(event),
      redirect: "error",
      signal: AbortSignal.timeout(this.timeout),
    })
    const text = await response.text()
    if (response.ok) return understood(text)
    const said = `the service answered ${response.status}: ${text.slice(0, 300)}`
    throw new (failureOf(response.status))(said)
  }
}

function failureOf(status: number): new (said: string) => Error {
  if ([400, 413].includes(status)) return RejectedError
  return status === 401 ? TokenError : Error
}

function understood(text: string): Answer {
  const answer = text ? JSON.parse(text) : {}
  const fields = ["tell", "deny", "stop", "reason"].map((name) => answer?.[name])
  if (typeof answer !== "object" || answer === null || Array.isArray(answer) || fields.some((one) => one !== undefined && typeof one !== "string"))
    throw new Error("the service answered what is no answer")
  return answer
}

function why(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.name === "TimeoutError" ? "the service did not answer in time" : withCause(error)
}

function withCause(error: Error): string {
  const code = (error.cause as { code?: string } | undefined)?.code
  return code ? `${error.message} (${code})` : error.message
}
