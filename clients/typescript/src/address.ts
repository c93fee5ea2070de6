/** Where the service of Headway listens, and the token that it asks for. */

import { readFile } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import process from "node:process"

export interface Address {
  url: string
  token: string
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"]
const USUAL = "http://127.0.0.1:4319"

/** The address that was given, or else the one in the environment, or else that of the service that runs here. */
export async function address(given: Partial<Address>): Promise<Address> {
  const url = given.url ?? process.env.HEADWAY_URL ?? (await recorded()) ?? USUAL
  checkUrl(url, given.token ?? process.env.HEADWAY_TOKEN)
  const token = given.token ?? process.env.HEADWAY_TOKEN ?? (await content("serve.token")) ?? ""
  return { url: url.replace(/\/+$/, ""), token: token.trim() }
}

/** Refuse an address to which events would travel unencrypted, or with the token of this machine. */
export function checkUrl(url: string, token: string | undefined): void {
  const { protocol, hostname } = new URL(url)
  if (LOOPBACK.includes(hostname) && /^https?:$/.test(protocol)) return
  if (protocol !== "https:") throw new TypeError(`${url}: an address outside of this machine must begin with https://`)
  if (!token) throw new TypeError(`${url}: an address outside of this machine needs its own token`)
}

async function recorded(): Promise<string | undefined> {
  try {
    const { url } = JSON.parse((await content("serve.json")) ?? "")
    return typeof url === "string" ? url : undefined
  } catch {
    return undefined
  }
}

async function content(name: string): Promise<string | undefined> {
  return readFile(join(stateFolder(), name), "utf8").catch(() => undefined)
}

/** The same folder that `headway serve` uses. */
function stateFolder(): string {
  const { HEADWAY_STATE_DIR, LOCALAPPDATA, XDG_STATE_HOME } = process.env
  if (HEADWAY_STATE_DIR) return HEADWAY_STATE_DIR
  if (process.platform === "win32") return join(LOCALAPPDATA || join(homedir(), "AppData", "Local"), "headway")
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support", "headway")
  return join(XDG_STATE_HOME || join(homedir(), ".local", "state"), "headway")
}
