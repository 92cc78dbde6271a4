import type { ValueSchema } from '@onward/catalog'
import { stems } from '../words/stems.ts'
import { findLiterals, type Literal } from './literals.ts'
import type { Asking, Fillable, PredictedArgument, PredictedArguments } from './types.ts'
import { fits, tagsOf } from './variable-tags.ts'

/** How far before a literal the words stand that say which parameter it is. */
const NAMING_CHARACTERS = 40

/**
 * Arguments from literal values of the prompt and from variables. Every value is valid against its parameter's schema or left
 * out, and none is invented. A variable is written as its `{tag}`.
 */
export function predictArguments(fillable: Fillable, { prompt, variables }: Asking): PredictedArguments {
  const fromPrompt = prompt === null ? {} : literalArguments(fillable, prompt)
  const fromVariables = variables === null ? {} : tagsOf(fillable, variables)
  return { ...fromVariables, ...fromPrompt }
}

type Candidate = { readonly parameter: string; readonly literal: Literal; readonly value: unknown; readonly score: number }

/** Each literal goes to at most one parameter and the other way round; the best-named pairs first. */
function literalArguments({ check, properties, required }: Fillable, prompt: string): PredictedArguments {
  const candidates: Candidate[] = []
  for (const literal of findLiterals(prompt)) {
    const naming = namingStems(prompt, literal)
    for (const [parameter, schema] of Object.entries(properties)) {
      const value = valueFor(schema, literal)
      if (value === undefined || !isValid(check, parameter, value, literal)) continue
      const score = fitness(parameter, schema, literal, naming, required.includes(parameter))
      if (score > 0) candidates.push({ parameter, literal, value, score })
    }
  }
  const taken = new Set<Literal>()
  const args: Record<string, PredictedArgument> = {}
  for (const { parameter, literal, value, score } of candidates.sort((a, b) => b.score - a.score || a.literal.start - b.literal.start)) {
    if (taken.has(literal) || Object.hasOwn(args, parameter)) continue
    taken.add(literal)
    args[parameter] = {
      value,
      origin: { from: 'prompt', span: [literal.start, literal.end] },
      confidence: Math.min(0.95, 0.5 + score / 20),
    }
  }
  return args
}

/** The stems of the words just before a literal, the nearest last. */
function namingStems(prompt: string, literal: Literal): string[] {
  return stems(prompt.slice(Math.max(0, literal.start - NAMING_CHARACTERS), literal.start)).slice(-3)
}

/** How well a literal fits a parameter; 0 when only a guess would put it there. */
function fitness(parameter: string, schema: ValueSchema, literal: Literal, naming: readonly string[], required: boolean): number {
  const names = stems(`${parameter} ${schema.title ?? ''}`)
  const nearest = Math.max(-1, ...names.map((name) => naming.lastIndexOf(name)))
  const named = nearest < 0 ? 0 : 4 + nearest
  const kindOfName = literal.kind === 'email' && names.includes('email') ? 3 : literal.kind === 'url' && names.includes('url') ? 3 : 0
  const format = schema.format === 'email' || schema.format === 'uri' ? 3 : 0
  const plain = required && (literal.kind === 'quoted' || literal.kind === 'number' || literal.kind === 'tag') ? 1 : 0
  return named + kindOfName + format + plain
}

function valueFor(schema: ValueSchema, { kind, text }: Literal): unknown {
  switch (schema.type) {
    case 'string':
      return text
    case 'number':
    case 'integer':
      return kind === 'number' ? Number(text) : kind === 'tag' ? text : undefined
    case 'boolean':
      return kind === 'tag' ? text : undefined
    case 'array':
      return kind === 'tag' ? text : schema.items === undefined ? undefined : wrap(valueFor(schema.items, { kind, text, start: 0, end: 0 }))
    case 'object':
      return kind === 'tag' ? text : undefined
  }
}

function wrap(value: unknown): unknown[] | undefined {
  return value === undefined ? undefined : [value]
}

/** A tag's own value is known only at call time. */
function isValid(check: Fillable['check'], parameter: string, value: unknown, literal: Literal): boolean {
  if (literal.kind === 'tag') return true
  return fits(check, parameter, value)
}
