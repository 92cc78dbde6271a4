// What a browser loads of a built console, compressed as the gateway does, and the most that it may be.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** In bytes. The first load is the frame without any page; a page counts with the frame and with all that it loads later. */
const LIMITS = { 'first load': 145_000, page: 245_000, styles: 20_000 }

/**
 * Returns the sizes of what is built in `folder`, in bytes: one row for the first load, and one for each page.
 * @param {string} folder
 * @returns {{ name: string, script: number, styles: number, problems: string[] }[]}
 */
export function sizesOf(folder) {
  /** @type {Record<string, { file: string, isEntry?: boolean, imports?: string[], dynamicImports?: string[], css?: string[] }>} */
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
  const isPage = (name) => name.startsWith('src/pages/')
  const size = (file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length
  const total = (files) => [...new Set(files)].reduce((sum, file) => sum + size(file), 0)

  /** The chunks that the chunks `names` import, themselves included. `later`: also those that they import on first use. */
  function reachable(names, later) {
    const found = new Set()
    const add = (name) => {
      if (found.has(name)) return
      found.add(name)
      const { imports = [], dynamicImports = [] } = manifest[name]
      for (const next of [...imports, ...(later ? dynamicImports : [])]) add(next)
    }
    names.forEach(add)
    return [...found].map((name) => manifest[name])
  }

  function row(name, chunks, limit) {
    const script = total(chunks.map(({ file }) => file))
    const styles = total(chunks.flatMap(({ css = [] }) => css))
    const over = (what, bytes, most) => (bytes > most ? [`${name}: ${bytes} bytes of ${what}, and ${most} are allowed`] : [])
    return { name, script, styles, problems: [...over('script', script, limit), ...over('styles', styles, LIMITS.styles)] }
  }

  const first = reachable(
    Object.keys(manifest).filter((name) => manifest[name].isEntry),
    false,
  )
  const pages = Object.keys(manifest).filter(isPage)
  return [
    row('first load', first, LIMITS['first load']),
    ...pages.map((page) => row(page, [...first, ...reachable([page], true)], LIMITS.page)),
  ]
}
