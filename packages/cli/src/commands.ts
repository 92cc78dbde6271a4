import type { Command } from 'commander'
import type { Terminal } from './terminal.ts'

/** A command, or a group of commands with a common first word. */
type Entry = {
  readonly description: string
  /** Imports the module of the command and returns the function that adds its options, subcommands and action. */
  readonly load: () => Promise<(command: Command, terminal: Terminal) => void>
}

/** All commands by the headings of `onward --help`. A module is imported only when its command runs, so that the others start fast. */
export const COMMANDS: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  'Start:': {
    login: {
      description: 'Store the keys of a deployment as a profile.',
      load: async () => (await import('./commands/login.ts')).addLoginCommand,
    },
    logout: {
      description: 'Remove a profile, and revoke its token.',
      load: async () => (await import('./commands/login.ts')).addLogoutCommand,
    },
    whoami: {
      description: 'Show the profile and the settings of commands, and where each comes from.',
      load: async () => (await import('./commands/login.ts')).addWhoamiCommand,
    },
    status: {
      description: 'Send a request with each known key, and show which service accepts it.',
      load: async () => (await import('./commands/login.ts')).addStatusCommand,
    },
    profile: {
      description: 'Manage the profiles that onward login has stored.',
      load: async () => (await import('./commands/login.ts')).addProfileCommands,
    },
    completion: {
      description: 'Print a script that completes commands and options in a shell.',
      load: async () => (await import('./commands/completion.ts')).addCompletionCommand,
    },
  },
  'Call functions for a user (area A):': {
    call: {
      description: 'Call a function.',
      load: async () => (await import('./commands/call.ts')).addCallCommand,
    },
    predict: {
      description: 'Predict the function that a prompt asks for.',
      load: async () => (await import('./commands/predict.ts')).addPredictCommand,
    },
    functions: {
      description: 'List and describe functions.',
      load: async () => (await import('./commands/functions.ts')).addFunctionsCommands,
    },
    apps: {
      description: 'List apps, and connect accounts of them.',
      load: async () => (await import('./commands/apps.ts')).addAppsCommands,
    },
    types: {
      description: 'Print a TypeScript file that declares the arguments of functions.',
      load: async () => (await import('./commands/types.ts')).addTypesCommand,
    },
    mcp: {
      description: 'Manage the tokens with which MCP clients act for a user.',
      load: async () => (await import('./commands/mcp.ts')).addMcpCommands,
    },
    api: {
      description: 'Send any request to area A or B with the stored keys.',
      load: async () => (await import('./commands/api.ts')).addApiCommand,
    },
  },
  'Count tasks and send webhooks (area B):': {
    usage: {
      description: 'Show how many tasks users have consumed.',
      load: async () => (await import('./commands/usage.ts')).addUsageCommand,
    },
    limits: {
      description: 'Manage how many tasks users may consume.',
      load: async () => (await import('./commands/limits.ts')).addLimitsCommands,
    },
    subscriptions: {
      description: 'Manage the callback URLs that receive webhooks.',
      load: async () => (await import('./commands/subscriptions.ts')).addSubscriptionsCommands,
    },
    deliveries: {
      description: 'List deliveries of webhooks, and send them again.',
      load: async () => (await import('./commands/subscriptions.ts')).addDeliveriesCommands,
    },
    listen: {
      description: 'Forward webhooks to a program on this machine, without a public address.',
      load: async () => (await import('./commands/listen.ts')).addListenCommand,
    },
  },
  'Operate a deployment (token):': {
    'sign-in-link': {
      description: 'Make a link with which a person signs in to the console, once.',
      load: async () => (await import('./commands/sign-in-link.ts')).addSignInLinkCommand,
    },
    workspace: {
      description: 'Manage workspaces with their partner API keys.',
      load: async () => (await import('./commands/workspace.ts')).addWorkspaceCommands,
    },
    application: {
      description: 'Manage client applications with their App-Keys and secrets.',
      load: async () => (await import('./commands/application.ts')).addApplicationCommands,
    },
    account: {
      description: 'Manage connected accounts: the credentials of users for apps.',
      load: async () => (await import('./commands/account.ts')).addAccountCommands,
    },
    user: {
      description: 'Export or delete everything that is stored about a user.',
      load: async () => (await import('./commands/user.ts')).addUserCommands,
    },
    suspension: {
      description: 'Suspend a workspace, an application or a user, or let them only read.',
      load: async () => (await import('./commands/suspension.ts')).addSuspensionCommands,
    },
    'oauth-client': {
      description: 'Manage OAuth clients, which an application has registered with the providers of apps.',
      load: async () => (await import('./commands/oauth-client.ts')).addOAuthClientCommands,
    },
    catalog: {
      description: 'Manage apps and their functions.',
      load: async () => (await import('./commands/catalog.ts')).addCatalogCommands,
    },
    calls: {
      description: 'List the calls log, newest first, or find one call.',
      load: async () => (await import('./commands/calls.ts')).addCallsCommand,
    },
    audit: {
      description: 'List and export the audit log: who changed or read what.',
      load: async () => (await import('./commands/audit.ts')).addAuditCommands,
    },
  },
  'Repair a deployment (token of an operator):': {
    quarantine: {
      description: 'Manage the quarantine: task events that insights could not count.',
      load: async () => (await import('./commands/quarantine.ts')).addQuarantineCommands,
    },
    reconcile: {
      description: 'Compare the calls log of functions with the tasks that insights counted, hour by hour, and send differing hours again.',
      load: async () => (await import('./commands/reconcile.ts')).addReconcileCommand,
    },
    'rebuild-usage': {
      description:
        'Compare the usage of users with their task events and correct differences. Only periods with all events stored are compared.',
      load: async () => (await import('./commands/maintenance.ts')).addRebuildUsageCommand,
    },
    retention: {
      description: 'Manage how long data is stored.',
      load: async () => (await import('./commands/maintenance.ts')).addRetentionCommands,
    },
    'sealing-key': {
      description: 'Make a new sealing key for SEALING_KEYS, wrapped by Vault or AWS KMS if asked. Needs no token.',
      load: async () => (await import('./commands/sealing-key.ts')).addSealingKeyCommand,
    },
    reseal: {
      description: 'Encrypt all stored secrets of both services with their first sealing key. A day later, the other keys can be removed.',
      load: async () => (await import('./commands/maintenance.ts')).addResealCommand,
    },
  },
}
