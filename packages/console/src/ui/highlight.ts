import bash from 'refractor/bash'
import { refractor } from 'refractor/core'
import json from 'refractor/json'
import python from 'refractor/python'
import typescript from 'refractor/typescript'

for (const grammar of [json, bash, typescript, python]) refractor.register(grammar)

export type Language = 'json' | 'bash' | 'typescript' | 'python'

/** A run of code of one kind, such as `string`; undefined for plain text. */
export type Run = { readonly text: string; readonly kind: string | undefined }

type Node = {
  readonly type: string
  readonly value?: string
  readonly children?: readonly Node[]
  readonly properties?: Record<string, unknown>
}

/** Splits code into runs. Their texts together are the code. */
export function highlight(code: string, language: Language): Run[] {
  return runsOf(refractor.highlight(code, language) as Node, undefined)
}

function runsOf(node: Node, kind: string | undefined): Run[] {
  if (node.type === 'text') return [{ text: node.value ?? '', kind }]
  const classes = node.properties?.className
  const own = Array.isArray(classes) ? String(classes[1] ?? '') : undefined
  return (node.children ?? []).flatMap((child) => runsOf(child, own ?? kind))
}
