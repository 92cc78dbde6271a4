import { type Names, own } from '../template/template.ts'
import type { FileContent, FileContents } from '../types.ts'

/** Returns the contents of a file parameter: none when it is absent, several for a list. */
export function contentsOf(files: FileContents | undefined, name: string): readonly FileContent[] {
  return [own(files ?? {}, name) ?? []].flat()
}

/** Returns the file parameter whose tag is the whole text, or null. */
export function fileParameter(text: unknown, names: Names): string | null {
  return names.files?.find((name) => text === `{${name}}`) ?? null
}
