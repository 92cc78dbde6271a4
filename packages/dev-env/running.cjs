const { readFileSync } = require('node:fs')
const { join } = require('node:path')

/** Returns the message that another Onward uses the folder of data `dir`. Returns undefined if none does. */
function runningIn(dir) {
  const holder = livingHolder(readText(join(dir, 'lock')))
  if (holder === undefined) return undefined
  const [, url] = /"functions_url": "([^"]+)"/.exec(readText(join(dir, 'dev.json'))) ?? []
  return `Onward already runs from this folder (process ${holder})${url === undefined ? '' : `, at ${url}`}: ${dir}`
}

/** Returns the process id in the text of a lock, if that process is alive and has the recorded start time. */
function livingHolder(text) {
  const [id = '', recorded = ''] = text.trim().split(' ')
  const pid = Number(id)
  if (!(pid > 0) || !isAlive(pid)) return undefined
  const current = startTime(pid)
  return recorded && current && recorded !== current ? undefined : pid
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (err) {
    return err.code === 'EPERM'
  }
}

/**
 * Returns when a process started, which distinguishes it from a later process with the same id. It is field 22 of /proc/<pid>/stat, see
 * proc(5). Returns undefined on systems without /proc.
 */
function startTime(pid) {
  const stat = readText(`/proc/${pid}/stat`)
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .at(19)
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

module.exports = { livingHolder, runningIn, startTime }
