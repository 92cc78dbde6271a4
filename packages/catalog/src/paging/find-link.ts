const parameter = /;\s*([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g

/** The target of the first link of a relation in a Link header (RFC 8288, 3); null when there is none, or the header is broken before it. */
export function findLink(header: string, relation: string): string | null {
  const link = /[\s,]*<([^>]*)>((?:[^",]|"(?:[^"\\]|\\.)*")*)(?:,|$)/y
  for (let found = link.exec(header); found !== null; found = link.exec(header)) {
    const parameters = new Map<string, string>()
    for (const [, name = '', quoted, bare = ''] of (found[2] ?? '').matchAll(parameter)) {
      // Of a parameter that is there twice the first counts.
      if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare)
    }
    const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/)
    // A link with an anchor is one of another resource.
    if (relations.includes(relation) && !parameters.has('anchor')) return found[1] ?? ''
  }
  return null
}
