import type { ArgumentInput } from '@onward/predict'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { Callable } from '../../catalog/functions.ts'
import { type CheckedArguments, checkArguments } from './check-arguments.ts'
import { messagesFor } from './messages.ts'
import { ModelError } from './model-error.ts'
import type { ModelServer } from './model-server.ts'
import { type Offer, offerTools } from './tools.ts'

/**
 * The function that the model calls with its valid arguments; `none` when nothing fits; `unknown` when the model called a tool that was not
 * offered.
 */
type Choice = Called | 'none' | 'unknown'

type Called = {
  readonly callable: Callable
  readonly arguments: CheckedArguments['valid']
  /** Asks the model once more for the invalid arguments, if there are any, and returns all valid ones. Throws a ModelError. */
  repaired(): Promise<CheckedArguments['valid']>
}

type Ask = {
  readonly input: ArgumentInput
  /** With `choose` the model may call no tool; with `fill` it must call the first. */
  readonly purpose: 'choose' | 'fill'
  readonly signal: AbortSignal
}

/** Sends one request with these functions as tools. Throws a ModelError when it fails. */
export async function askForCall(
  server: Pick<ModelServer, 'chat'>,
  callables: readonly Callable[],
  { input, purpose, signal }: Ask,
): Promise<Choice> {
  const offer = offerTools(callables)
  const messages = messagesFor(input)
  const [first] = offer.tools
  const choice = purpose === 'fill' && first !== undefined ? first : 'auto'
  const call = await ask(server, purpose, { offer, messages, choice, signal })
  if (typeof call === 'string') return call
  const callable = offer.find(call.name) as Callable
  const { valid, problems } = checkArguments(callable, call.arguments, input)
  return {
    callable,
    arguments: valid,
    async repaired() {
      if (problems.length === 0) return valid
      const again = await repair(server, { offer, messages, call, problems, signal })
      return again === undefined ? valid : { ...valid, ...checkArguments(callable, again, input).valid }
    },
  }
}

type Question = {
  readonly offer: Offer
  readonly messages: ChatCompletionMessageParam[]
  readonly choice: Offer['tools'][number] | 'auto'
  readonly signal: AbortSignal
}

function ask(
  server: Pick<ModelServer, 'chat'>,
  purpose: 'choose' | 'fill' | 'repair',
  { offer, messages, choice, signal }: Question,
): Promise<ToolCall | 'none' | 'unknown'> {
  const forced = choice === 'auto' ? choice : ({ type: 'function', function: { name: choice.function.name } } as const)
  // No other settings, because servers differ in which they accept.
  const request = { messages, tools: offer.tools, tool_choice: forced }
  return server.chat(purpose, request, (message) => readToolCall(message, (name) => offer.find(name) !== undefined), signal)
}

type Repair = Omit<Question, 'choice'> & { readonly call: ToolCall; readonly problems: readonly string[] }

/** Sends the problems to the model and returns its new arguments, or undefined when it does not call the same tool again. */
async function repair(server: Pick<ModelServer, 'chat'>, { offer, messages, call, problems, signal }: Repair): Promise<string | undefined> {
  const corrected: ChatCompletionMessageParam[] = [
    ...messages,
    {
      role: 'assistant',
      tool_calls: [{ id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } }],
    },
    {
      role: 'tool',
      tool_call_id: call.id,
      content: `Not called. ${problems.slice(0, 20).join('\n')}\nCall it again with all arguments; correct these or leave them out.`,
    },
  ]
  const tool = offer.tools.find((each) => each.function.name === call.name) as Offer['tools'][number]
  const again = await ask(server, 'repair', { offer, messages: corrected, choice: tool, signal })
  return typeof again === 'string' || again.name !== call.name ? undefined : again.arguments
}

/** `arguments` is the JSON text of the model. */
type ToolCall = { readonly id: string; readonly name: string; readonly arguments: string }

/**
 * Returns the first call of an offered tool, `none` when there is no call, and `unknown` when no called tool was offered. Throws a
 * ModelError.
 */
function readToolCall(message: unknown, offered: (name: string) => boolean): ToolCall | 'none' | 'unknown' {
  if (typeof message !== 'object' || message === null) throw new ModelError('invalid')
  const calls = (message as { tool_calls?: unknown }).tool_calls ?? []
  if (!Array.isArray(calls)) throw new ModelError('invalid')
  if (calls.length === 0) return 'none'
  return calls.map(readCall).find(({ name }) => offered(name)) ?? 'unknown'
}

function readCall(call: unknown): ToolCall {
  const { id, function: called } = (call ?? {}) as { id?: unknown; function?: { name?: unknown; arguments?: unknown } }
  if (typeof called?.name !== 'string') throw new ModelError('invalid')
  const args = called.arguments ?? '{}'
  // Some servers send an object instead of JSON text.
  return {
    id: typeof id === 'string' && id !== '' ? id : 'call',
    name: called.name,
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
  }
}
