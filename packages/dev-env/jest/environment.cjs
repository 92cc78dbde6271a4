const { readFileSync } = require('node:fs')
const Module = require('node:module')
const vm = require('node:vm')
const { ModernFakeTimers } = require('@jest/fake-timers')
const { transformSync } = require('@swc/core')
const { ModuleMocker } = require('jest-mock')

const SWC_OPTIONS = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
}

Module._extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...SWC_OPTIONS, filename })
  module._compile(code, filename)
}
process.setSourceMapsEnabled(true)

// Under the condition `source`, the package eventsource of the MCP client exports its TypeScript, whose imports end in `.js`.
const resolveFilename = Module._resolveFilename
Module._resolveFilename = (request, parent, ...rest) => {
  const ofPackage = request.startsWith('.') && /\/node_modules\/.*\.ts$/.test(parent?.filename ?? '')
  return resolveFilename(ofPackage ? request.replace(/\.js$/, '.ts') : request, parent, ...rest)
}

/** Stands for the process itself where jest expects the vm context of a test file. */
const NO_CONTEXT = {}
const { compileFunction } = vm
vm.compileFunction = (code, parameters, { parsingContext, ...options }) =>
  compileFunction(code, parameters, parsingContext === NO_CONTEXT ? options : { ...options, parsingContext })

/** Called by the code that `load-natively.cjs` returns for a test file. */
globalThis.loadNatively = (file, jest) => {
  globalThis.jest = jest
  Module.createRequire(file)(file)
}

/**
 * Runs test files as Node runs a program: without a vm context, and with modules that Node loads. A worker loads a module once, except the
 * modules of `test` folders, which it loads for each test file. By default, jest loads and compiles all modules for each test file, which
 * doubled the processor time of suites that start a service.
 */
module.exports = class {
  constructor({ projectConfig }) {
    const { console } = globalThis
    const { exit, getBuiltinModule } = process
    // What jest replaces in the global object.
    this.restore = () => {
      globalThis.console = console
      Object.assign(process, { exit, getBuiltinModule })
    }
    this.global = globalThis
    this.moduleMocker = new ModuleMocker(globalThis)
    this.fakeTimers = null
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis })
  }

  async setup() {
    // Jest's own formatter of stack traces knows only the source maps of modules that jest has loaded.
    Error.prepareStackTrace = undefined
    // Otherwise, jest calls the event handlers of earlier test files.
    delete globalThis[Symbol.for('EVENT_HANDLERS')]
  }

  async teardown() {
    this.fakeTimersModern.dispose()
    this.restore()
    for (const file of Object.keys(require.cache)) {
      if (/\/(packages|services)\/[^/]+\/test\//.test(file)) delete require.cache[file]
    }
  }

  exportConditions() {
    return []
  }

  getVmContext() {
    return NO_CONTEXT
  }
}
