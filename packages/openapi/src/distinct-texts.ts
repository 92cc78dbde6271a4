import type { FunctionFile } from '@onward/catalog'
import { inWords } from './text.ts'

/** Makes titles and descriptions each stand for one function: a doubled title becomes the name in words, a doubled description gets the path. */
export function distinctTexts(functions: Readonly<Record<string, FunctionFile>>): Record<string, FunctionFile> {
  const titles = countOf(Object.values(functions).map(({ title }) => title))
  const descriptions = countOf(Object.values(functions).map(({ description }) => description))
  return Object.fromEntries(
    Object.entries(functions).map(([phrase, definition]) => {
      const { title, description, request } = definition
      const place = ` (${request.method} ${request.path})`
      return [
        phrase,
        {
          ...definition,
          title: (titles.get(title) ?? 0) > 1 ? inWords(phrase) : title,
          description: (descriptions.get(description) ?? 0) > 1 ? `${description}${place}` : description,
        },
      ]
    }),
  )
}

function countOf(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}
