/** Vercel AI SDK: a run whose model and tools are watched. */

import { type LanguageModel, generateText, stepCountIs, tool } from "ai"
import { Headway } from "headway-agents/ai-sdk"
import { z } from "zod"

const headway = new Headway({ maxTokens: 50_000 })

const look = tool({
  description: "Look up a customer.",
  inputSchema: z.object({ customer: z.number() }),
  execute: async ({ customer }) => `There is no customer ${customer}.`,
})

export async function ask(model: LanguageModel, prompt: string, thread: string): Promise<string> {
  const run = { model, tools: { look }, prompt, stopWhen: stepCountIs(50) }
  const { text } = await generateText(headway.watched(run, thread))
  return text
}
