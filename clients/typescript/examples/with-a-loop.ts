/** A loop written by hand: tell Headway what happens, and do what it says. */

import { CallRefused, Headway } from "headway-agents"

const headway = new Headway({ maxTokens: 50_000 })

export type Model = (messages: string[]) => Promise<{ text: string; call?: { tool: string; args: object }; tokens: number }>

export async function ask(model: Model, tools: Record<string, (args: any) => Promise<string>>, question: string): Promise<string> {
  const watch = headway.conversation()
  const messages = [question]
  await watch.userSpoke(question)
  while (!watch.stopped) {
    const advice = watch.beforeModel()
    const { text, call, tokens } = await model(advice ? [...messages, advice] : messages)
    await watch.answered(text, { tokensIn: tokens })
    if (!call) return text
    const run = () => tools[call.tool]!(call.args)
    messages.push(text, await watch.call(call.tool, call.args, run).catch(answerTo))
  }
  return watch.stopped.message
}

/** A refused call is answered with the reason, and a tool that fails with its error. */
function answerTo(error: Error): string {
  return error instanceof CallRefused ? error.message : `The tool failed: ${error.message}`
}
