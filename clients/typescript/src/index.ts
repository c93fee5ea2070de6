/** Headway for loops written by hand; `headway-agents/ai-sdk` and `headway-agents/mastra` are for frameworks. */

export { Headway, type Options } from "./headway.js"
export { CallRefused, RunStopped, type Stop } from "./stopped.js"
export { Call, type Decision, type Sender, type Usage, Watch } from "./watch.js"
