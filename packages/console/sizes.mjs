// What a browser loads of a built console, compressed with Brotli as insights sends it, and the most that it may be.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** In bytes. The first load is the frame without any page; a page counts with the frame and with all that it loads later. */
const LIMITS = { 'first load': 130_000, page: 210_000, 'embedded page': 85_000, styles: 16_000 }

/**
 * Returns the sizes of the console that is built in `folder`, in bytes: one row for the first load, and one for each page.
 * @param {string} folder
 * @returns {Row[]}
 */
export function sizesOf(folder) {
  const { manifest, entry, reachable, row } = open(folder)
  const pages = Object.keys(manifest).filter((name) => name.startsWith('src/pages/'))
  return [row('first load', entry, LIMITS['first load']), ...pages.map((page) => row(page, reachable([page], true, entry), LIMITS.page))]
}

/**
 * Returns the size of the embedded page that is built in `folder`.
 * @param {string} folder
 * @returns {Row}
 */
export function embedSizeOf(folder) {
  const { entry, row } = open(folder)
  return row('embedded page', entry, LIMITS['embedded page'])
}

/** @typedef {{ name: string, script: number, styles: number, problems: string[] }} Row */

/** @param {string} folder */
function open(folder) {
  /** @type {Record<string, { file: string, isEntry?: boolean, imports?: string[], dynamicImports?: string[], css?: string[] }>} */
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
  const size = (file) => statSync(existsSync(join(folder, `${file}.br`)) ? join(folder, `${file}.br`) : join(folder, file)).size
  const total = (files) => [...new Set(files)].reduce((sum, file) => sum + size(file), 0)

  /**
   * The names of the chunks that the chunks `names` import, themselves and `loaded` included. `later`: also chunks that they import on
   * first use. What `loaded` imports on first use belongs to other pages.
   */
  function reachable(names, later, loaded = new Set()) {
    const found = new Set(loaded)
    const add = (name) => {
      if (found.has(name)) return
      found.add(name)
      const { imports = [], dynamicImports = [] } = manifest[name]
      for (const next of [...imports, ...(later ? dynamicImports : [])]) add(next)
    }
    names.forEach(add)
    return found
  }

  function row(name, names, limit) {
    const chunks = [...names].map((each) => manifest[each])
    const script = total(chunks.map(({ file }) => file))
    const styles = total(chunks.flatMap(({ css = [] }) => css))
    const over = (what, bytes, most) => (bytes > most ? [`${name}: ${bytes} bytes of ${what}, and ${most} are allowed`] : [])
    return { name, script, styles, problems: [...over('script', script, limit), ...over('styles', styles, LIMITS.styles)] }
  }

  const entry = reachable(
    Object.keys(manifest).filter((name) => manifest[name].isEntry),
    false,
  )
  return { manifest, entry, reachable, row }
}
