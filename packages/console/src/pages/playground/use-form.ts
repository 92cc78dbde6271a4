import type { Alternative, FunctionItem } from '@onward/contract'
import { isStructured, parseJson, writeJson } from '@onward/json'
import { useMemo, useState } from 'react'
import { type Draft, fillDraft, readDraft } from './draft.ts'
import { type Field, fieldsOf } from './fields.ts'
import { keepDraft, keptDraft } from './kept-draft.ts'
import { PLAY } from './words.ts'

/** Arguments that something else chose: a prediction or an earlier call. */
export type Prefill = {
  /** Names this choice: another one fills the form again. */
  readonly id: string
  readonly fn: string
  readonly args: unknown
  /** Where each argument came from, in words. */
  readonly origins: Readonly<Record<string, string>>
}

type State = {
  readonly key: string
  readonly mode: 'form' | 'json'
  readonly draft: Draft
  readonly json: string
  /** Problems are shown after the first try to run. */
  readonly tried: boolean
  /** What the service found wrong, by path, until the next change. */
  readonly refused: Readonly<Record<string, string>>
  readonly missing: readonly string[]
  readonly unknown: readonly string[]
  /** False if something was not kept over a reload. */
  readonly complete: boolean
}

export type Form = Omit<State, 'key' | 'tried' | 'refused'> & {
  readonly fields: readonly Field[]
  readonly shapes: readonly Alternative[]
  readonly args: Readonly<Record<string, unknown>>
  /** Problems to show, by the path of the field; `$` for the JSON text. */
  readonly problems: Readonly<Record<string, string>>
  readonly origins: Readonly<Record<string, string>>
  setDraft(draft: Draft): void
  setJson(text: string): void
  /** Why the mode cannot be changed now; undefined if it was. */
  setMode(mode: 'form' | 'json'): string | undefined
  /** Shows the problems. Returns whether the arguments can be sent. */
  check(): boolean
  refuse(problems: Readonly<Record<string, string>>): void
  clear(): void
}

/** Holds what is entered for a function. Another function, or another prefill, begins a new form. `storageKey` names what is kept. */
export function useForm(item: FunctionItem | undefined, prefill: Prefill | undefined, storageKey: string): Form | undefined {
  const key = `${storageKey} ${prefill?.id ?? ''}`
  const fields = useMemo(() => (item === undefined ? undefined : fieldsOf(item)), [item])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new form begins with another key only
  const initial = useMemo(() => fields && begin(key, fields, prefill, storageKey), [key, fields === undefined])
  const [entered, setEntered] = useState<State | undefined>(undefined)
  if (fields === undefined || initial === undefined) return undefined
  const state = entered?.key === key ? entered : initial
  const read = state.mode === 'form' ? readDraft(fields, state.draft) : readJson(state.json)
  // Answers arrive later, when the reader may have gone on.
  const change = (next: Partial<State>) => setEntered((before) => ({ ...(before?.key === key ? before : initial), refused: {}, ...next }))
  const setDraft = (draft: Draft) => {
    keepDraft(storageKey, fields, draft)
    change({ draft, complete: true })
  }
  return {
    ...state,
    fields,
    shapes: item?.parameters.alternatives ?? [],
    args: read.args,
    problems: { ...state.refused, ...(state.tried ? read.problems : {}) },
    origins: prefill?.origins ?? {},
    setDraft,
    setJson: (json) => change({ json }),
    setMode(mode) {
      if (mode === 'json') {
        change({ mode, json: writeJson(read.args, 2) })
        return undefined
      }
      const filled = fillDraft(fields, read.args)
      if (Object.keys(read.problems).length > 0) return PLAY.form.notJson
      if (filled.unknown.length > 0) return PLAY.form.notInForm(filled.unknown.join(', '))
      keepDraft(storageKey, fields, filled.draft)
      change({ mode, draft: filled.draft })
      return undefined
    },
    check() {
      change({ tried: true })
      return Object.keys(read.problems).length === 0
    },
    refuse: (refused) => change({ refused }),
    clear() {
      keepDraft(storageKey, fields, {})
      setEntered({ ...initial, draft: {}, json: '{}', mode: state.mode, missing: [], unknown: [], complete: true })
    },
  }
}

function begin(key: string, fields: readonly Field[], prefill: Prefill | undefined, storageKey: string): State {
  const empty = { key, mode: 'form', json: '{}', tried: false, refused: {}, missing: [], unknown: [], complete: true } as const
  if (prefill !== undefined) return { ...empty, ...fillDraft(fields, prefill.args) }
  return { ...empty, ...keptDraft(storageKey) }
}

function readJson(text: string): { args: Readonly<Record<string, unknown>>; problems: Readonly<Record<string, string>> } {
  try {
    const value: unknown = text.trim() === '' ? {} : parseJson(text)
    if (isStructured(value) && !Array.isArray(value)) {
      return { args: value as Record<string, unknown>, problems: {} }
    }
    return { args: {}, problems: { $: PLAY.form.notAnObject } }
  } catch {
    return { args: {}, problems: { $: PLAY.form.notJson } }
  }
}
