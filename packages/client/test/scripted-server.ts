export { openScriptedServer, type ScriptedServer, sendJson } from '../../testbed/src/index.ts'
