import type { Command } from 'commander'
import type { Terminal } from '../terminal.ts'
import { addCatalogImport } from './catalog-import.ts'
import { addCatalogLint } from './catalog-lint.ts'
import { addCatalogList } from './catalog-list.ts'
import { addCatalogQuarantined } from './catalog-quarantined.ts'
import { addCatalogRemove } from './catalog-remove.ts'

export function addCatalogCommands(program: Command, terminal: Terminal): void {
  const catalog = program.command('catalog').description('Apps and their functions.')
  addCatalogImport(catalog, terminal)
  addCatalogList(catalog, terminal)
  addCatalogRemove(catalog, terminal)
  addCatalogLint(catalog, terminal)
  addCatalogQuarantined(catalog, terminal)
}
