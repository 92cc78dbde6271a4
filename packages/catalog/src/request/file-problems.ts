import type { FileContent } from '../types.ts'
import { isHeaderText } from './header-text.ts'
import { own } from './template.ts'

type Files = Readonly<Record<string, FileContent>>

/** Problems with the files of a call: each that is required, or that the arguments name, must have its bytes and a content type to send. */
export function fileProblems(names: readonly string[], required: readonly string[], args: object, files: Files): string[] {
  return names.flatMap((name) => {
    const file = own(files, name)
    if (file === undefined) return required.includes(name) || Object.hasOwn(args, name) ? [`${name}: has no content`] : []
    const typed = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/.test(file.contentType) && isHeaderText(file.contentType)
    return typed ? [] : [`${name}.content_type: is no media type`]
  })
}
