import type { RequestFile } from '../file/app-file.ts'
import type { Path, Report } from '../problems.ts'
import type { Payload } from './payload.ts'
import { fileTag, fillText, type Input, type Names, own, parseTemplate, tagsOf } from './template.ts'
import { wellFormed } from './well-formed.ts'

/** Compiles a body that is text or one file, sent as it is; undefined when that is absent. Throws URIError when the text is not well-formed. */
export function compileRaw(file: RequestFile, names: Names, at: Path, report: Report): (input: Input) => Payload | undefined {
  const name = fileTag(file.body, names)
  if (name !== null) {
    return ({ files }) => {
      const content = own(files ?? {}, name)
      return content && { content: content.bytes, contentType: file.content_type ?? content.contentType, fixed: true }
    }
  }
  if (typeof file.body !== 'string') report(at, 'must be text here')
  const template = parseTemplate(String(file.body), names, (what) => report(at, what))
  if (tagsOf(template).some((tag) => tag.explode)) report(at, 'a tag with * can stand only in query')
  const contentType = file.content_type ?? 'text/plain; charset=utf-8'
  return (input) => {
    const content = fillText(template, input)
    return content === undefined ? undefined : { content: wellFormed(content), contentType, fixed: true }
  }
}
