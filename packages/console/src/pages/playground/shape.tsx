import type { Alternative } from '@onward/contract'
import { type ReactNode, useState } from 'react'
import { Field, Select } from '../../ui/field.tsx'
import { type Draft, hasEntries } from './draft.ts'
import { PLAY } from './words.ts'

const { form: words } = PLAY
const ALL = 'all'

/** The choice among the shapes of an object, and which of its fields the chosen shape has. */
export type Shape = { readonly isShown: (name: string) => boolean; readonly select: ReactNode }

/**
 * Returns the choice among the shapes that the values of `draft` may have, and fields to show: those of the chosen shape, those that every shape
 * has, and those with an entry. Choosing a shape removes what only the others have. `problemOf` returns what is wrong with a field.
 */
export function useShape(
  shapes: readonly Alternative[],
  draft: Draft,
  onChange: (draft: Draft) => void,
  problemOf: (name: string) => string | undefined,
): Shape {
  const [title, setTitle] = useState<string | undefined>(undefined)
  if (shapes.length === 0) return { isShown: () => true, select: null }
  // Clearing the form removes the values of the chosen shape, so it is not chosen any more.
  const chosen =
    title === ALL ? undefined : (shapes.find((each) => each.title === title && hasValues(each, draft)) ?? enteredShape(shapes, draft))
  // The choice takes the place of a field whose value every shape fixes.
  const fixed = Object.keys(shapes[0]?.values ?? {}).filter((name) => shapes.every(({ values = {} }) => Object.hasOwn(values, name)))
  const choose = (next: string) => {
    setTitle(next === '' ? undefined : next)
    const shape = shapes.find((each) => each.title === next)
    if (next !== ALL) onChange(shape === undefined ? without(shapes, draft) : inShape(shapes, shape, draft))
  }
  return {
    isShown(name) {
      if (title === ALL) return true
      if (fixed.includes(name)) return false
      return chosen?.properties.includes(name) === true || !isOfOne(shapes, name) || hasEntries(draft[name])
    },
    select: (
      <Field label={words.shape} error={title === ALL || chosen !== undefined ? undefined : fixed.map(problemOf).find(Boolean)}>
        <Select value={title === ALL ? ALL : (chosen?.title ?? '')} onChange={(event) => choose(event.target.value)}>
          <option value="">{words.choose}</option>
          {shapes.map((each) => (
            <option key={each.title} value={each.title}>
              {each.title}
            </option>
          ))}
          <option value={ALL}>{words.allShapes}</option>
        </Select>
      </Field>
    ),
  }
}

/** The first shape whose fixed values were entered, or that alone has all fields that were entered. */
function enteredShape(shapes: readonly Alternative[], draft: Draft): Alternative | undefined {
  const byValue = shapes.find((each) => each.values !== undefined && hasValues(each, draft))
  if (byValue !== undefined) return byValue
  const entered = Object.keys(draft).filter((name) => hasEntries(draft[name]) && isOfOne(shapes, name))
  const fitting = shapes.filter(({ properties }) => entered.every((name) => properties.includes(name)))
  return entered.length > 0 && fitting.length === 1 ? fitting[0] : undefined
}

/** Whether the fixed values of a shape were entered. */
function hasValues({ values = {} }: Alternative, draft: Draft): boolean {
  return Object.entries(values).every(([name, value]) => draft[name] === String(value))
}

/** Whether some shapes have the field and others do not. */
function isOfOne(shapes: readonly Alternative[], name: string): boolean {
  const having = shapes.filter(({ properties }) => properties.includes(name)).length
  return having > 0 && having < shapes.length
}

function inShape(shapes: readonly Alternative[], { properties, values = {} }: Alternative, draft: Draft): Draft {
  const kept = Object.entries(without(shapes, draft, properties))
  return { ...Object.fromEntries(kept), ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])) }
}

/** The entries without fixed values, and without fields that only shapes without them in `kept` have. */
function without(shapes: readonly Alternative[], draft: Draft, kept: readonly string[] = []): Draft {
  const fixed = new Set(shapes.flatMap(({ values = {} }) => Object.keys(values)))
  return Object.fromEntries(Object.entries(draft).filter(([name]) => !fixed.has(name) && (kept.includes(name) || !isOfOne(shapes, name))))
}
