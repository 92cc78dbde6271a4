import { writeJson } from '../json.ts'
import type { ToolOutcome } from './run.ts'
import { forModel, textForModel } from './run.ts'

/** An output item of OpenAI's Responses API. */
export type OpenAICall = { readonly type: 'function_call'; readonly call_id: string; readonly name: string; readonly arguments: string }
export type OpenAIResult = { readonly type: 'function_call_output'; readonly call_id: string; readonly output: string }

/** An item of `tool_calls` in OpenAI's Chat Completions API. */
export type OpenAIChatCall = {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}
export type OpenAIChatResult = { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

/** A content block of Anthropic's Messages API. */
export type AnthropicCall = { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }
export type AnthropicResult = {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly content: string
  readonly is_error?: true
}

/** A part of Gemini's answer. */
export type GeminiCall = {
  readonly functionCall: { readonly id?: string; readonly name?: string; readonly args?: Readonly<Record<string, unknown>> }
}
export type GeminiResult = {
  readonly functionResponse: { readonly id?: string; readonly name: string; readonly response: Readonly<Record<string, unknown>> }
}

/** A step of Gemini's Interactions API. */
export type GeminiStepCall = {
  readonly type: 'function_call'
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}
export type GeminiStepResult = {
  readonly type: 'function_result'
  readonly call_id: string
  readonly name: string
  readonly result: string
  readonly is_error: boolean
}

export type NativeCall = OpenAICall | OpenAIChatCall | AnthropicCall | GeminiCall | GeminiStepCall

/** The result that the API of a call expects. */
export type NativeResult<Call extends NativeCall> = Call extends OpenAICall
  ? OpenAIResult
  : Call extends OpenAIChatCall
    ? OpenAIChatResult
    : Call extends AnthropicCall
      ? AnthropicResult
      : Call extends GeminiStepCall
        ? GeminiStepResult
        : GeminiResult

/** A call in our own form, and how to turn its outcome into the vendor's form. */
export type ReadCall = {
  readonly name: string
  readonly args: unknown
  result(outcome: ToolOutcome, maxCharacters: number): OpenAIResult | OpenAIChatResult | AnthropicResult | GeminiResult | GeminiStepResult
}

/** Reads a call of any vendor. Throws a TypeError for anything else. */
export function readCall(call: NativeCall): ReadCall {
  if ('functionCall' in call) {
    const { id, name = '', args = {} } = call.functionCall
    return {
      name,
      args,
      // Gemini needs an object, in which it reads `output` or `error`.
      result: (outcome, max) => ({
        functionResponse: {
          ...(id === undefined ? {} : { id }),
          name,
          response: { [outcome.ok ? 'output' : 'error']: fits(outcome, max) ? forModel(outcome) : textForModel(outcome, max) },
        },
      }),
    }
  }
  switch (call.type) {
    case 'function_call':
      if (!('call_id' in call)) {
        const { id, name } = call
        return {
          name,
          args: call.arguments,
          result: (outcome, max) => ({
            type: 'function_result',
            call_id: id,
            name,
            result: textForModel(outcome, max),
            is_error: !outcome.ok,
          }),
        }
      }
      return {
        name: call.name,
        args: call.arguments,
        result: (outcome, max) => ({ type: 'function_call_output', call_id: call.call_id, output: textForModel(outcome, max) }),
      }
    case 'function':
      return {
        name: call.function.name,
        args: call.function.arguments,
        result: (outcome, max) => ({ role: 'tool', tool_call_id: call.id, content: textForModel(outcome, max) }),
      }
    case 'tool_use':
      return {
        name: call.name,
        args: call.input,
        result: (outcome, max) => ({
          type: 'tool_result',
          tool_use_id: call.id,
          content: textForModel(outcome, max),
          ...(outcome.ok ? {} : { is_error: true }),
        }),
      }
  }
  throw new TypeError('the call has none of the forms of OpenAI, Anthropic or Gemini')
}

function fits(outcome: ToolOutcome, maxCharacters: number): boolean {
  return writeJson(forModel(outcome)).length <= maxCharacters
}
