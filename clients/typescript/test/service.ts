/** A real `headway serve` with a state folder of its own, for one test file. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

const BIN = resolve(process.env.HEADWAY_BIN ?? "../../.venv/bin")
if (!existsSync(join(BIN, "headway"))) throw new Error(`there is no headway in ${BIN}: run \`make .venv/ready\`, or set HEADWAY_BIN to its folder`)

export class Running {
  readonly folder = mkdtempSync(join(tmpdir(), "hw"))
  readonly #environment = { ...process.env, HEADWAY_STATE_DIR: join(this.folder, "state"), XDG_CONFIG_HOME: join(this.folder, "config") }
  #process: ChildProcess | undefined

  /** Start it, and let clients of this process find it. */
  async start(): Promise<this> {
    this.#process = spawn(join(BIN, "headway"), ["serve", "--port", "0"], { env: this.#environment, stdio: "ignore" })
    process.env.HEADWAY_STATE_DIR = this.#environment.HEADWAY_STATE_DIR
    for (let tries = 0; tries < 300; tries++) {
      if (await this.#isThere()) return this
      if (this.#process.exitCode !== null) throw new Error(`headway serve ended with ${this.#process.exitCode}`)
      await sleep(100)
    }
    throw new Error("headway serve did not start within 30 seconds")
  }

  async #isThere(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/healthz`)).ok
    } catch {
      return false
    }
  }

  get url(): string {
    return JSON.parse(readFileSync(join(this.#environment.HEADWAY_STATE_DIR, "serve.json"), "utf8")).url
  }

  get token(): string {
    return readFileSync(join(this.#environment.HEADWAY_STATE_DIR, "serve.token"), "utf8").trim()
  }

  async sessions(): Promise<any[]> {
    const response = await fetch(`${this.url}/api/sessions`, { headers: { authorization: `Bearer ${this.token}` } })
    return ((await response.json()) as any).sessions
  }

  async kill(): Promise<void> {
    const ended = new Promise((done) => this.#process!.once("exit", done))
    this.#process!.kill("SIGKILL")
    await ended
  }

  async end(): Promise<void> {
    if (this.#process!.exitCode === null && this.#process!.signalCode === null) await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** What an adapter in Python does about the same calls: for each request, what is told, and what each call is answered. */
export function inPython(script: object): { steps: Step[]; last: string | null } {
  const program = new URL("../../test/same_calls.py", import.meta.url).pathname
  return JSON.parse(execFileSync(join(BIN, "python"), [program], { input: JSON.stringify(script), encoding: "utf8" }))
}

export interface Step {
  told: string | null
  refused: (string | null)[]
}
