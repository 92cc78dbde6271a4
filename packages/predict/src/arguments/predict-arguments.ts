import type { Weights } from './choose/judge.ts'
import { defaultsOf } from './defaults-of.ts'
import { promptArguments } from './prompt-arguments.ts'
import type { Asking, Fillable, PredictedArguments } from './types.ts'
import { withVariables } from './variables/with-variables.ts'

/**
 * Arguments from what a prompt says and from variables. Every value is valid against its parameter's schema or left out, and none
 * is invented; what is required and not said takes its default. A variable is written as its `{tag}`.
 */
export function predictArguments(fillable: Fillable, asking: Asking, weights: Weights): PredictedArguments {
  const { prompt, variables } = asking
  const fromPrompt = prompt === null ? {} : promptArguments(fillable, prompt, asking, weights)
  const said = variables === null ? fromPrompt : withVariables(fillable, asking, variables, fromPrompt)
  return { ...defaultsOf(fillable), ...said }
}
