/** The texts of the built-in app files, by the English text. */
export const texts: Readonly<Record<string, string>> = {
  'Access token': 'Jeton d’accès',
  'The token that the app gave for its API.': 'Le jeton que le service vous a donné pour son API.',
  'API key': 'Clé d’API',
  'The key that the app gave for its API.': 'La clé que le service vous a donnée pour son API.',
  'User name': 'Nom d’utilisateur',
  'The name that the app takes for basic authentication.': 'Le nom que le service attend pour l’authentification basique.',
  Password: 'Mot de passe',
  'The password that goes with the user name.': 'Le mot de passe de ce nom d’utilisateur.',
  'Client id': 'Identifiant du client',
  'The id of the client that the app made for you.': 'L’identifiant du client que le service a créé pour vous.',
  'Client secret': 'Secret du client',
  'The secret that came with the client id.': 'Le secret reçu avec l’identifiant du client.',
  'API token': 'Jeton d’API',
  'Email address': 'Adresse e-mail',
  Email: 'E-mail',
  Site: 'Site',
  'API address': 'Adresse de l’API',
  'Application key': 'Clé d’application',
  'Bot token': 'Jeton du bot',
  Domain: 'Domaine',
  Server: 'Serveur',
  'Data centre': 'Centre de données',
  Environment: 'Environnement',
  Region: 'Région',
  Host: 'Hôte',
  'Instance URL': 'URL de l’instance',
  'Login host': 'Hôte de connexion',
  Shop: 'Boutique',
  Token: 'Jeton',
  'Account SID': 'Account SID',
  'WhatsApp Business account id': 'Identifiant du compte WhatsApp Business',
  'Application password': 'Mot de passe d’application',
  'Site address': 'Adresse du site',
  Subdomain: 'Sous-domaine',
  'The email address that you sign in to Confluence with.': 'L’adresse e-mail avec laquelle vous vous connectez à Confluence.',
  'The first part of your Confluence address: acme of acme.atlassian.net.':
    'La première partie de votre adresse Confluence : acme dans acme.atlassian.net.',
  'Address of the API of your Datadog site, such as https://api.datadoghq.com or https://api.datadoghq.eu.':
    'L’adresse de l’API de votre site Datadog, par exemple https://api.datadoghq.com ou https://api.datadoghq.eu.',
  'First part of your Freshdesk address: acme in acme.freshdesk.com.':
    'La première partie de votre adresse Freshdesk : acme dans acme.freshdesk.com.',
  'Address of your GitLab server.': 'L’adresse de votre serveur GitLab.',
  'The email address that you sign in to Jira with.': 'L’adresse e-mail avec laquelle vous vous connectez à Jira.',
  'The first part of your Jira address: acme of acme.atlassian.net.':
    'La première partie de votre adresse Jira : acme dans acme.atlassian.net.',
  'The end of your API key, after the hyphen, such as us6.': 'La fin de votre clé d’API, après le tiret, par exemple us6.',
  'api-m for real payments, or api-m.sandbox for an app from the Sandbox tab.':
    'api-m pour de vrais paiements, ou api-m.sandbox pour une application de l’onglet « Sandbox ».',
  'us or eu: the first part of your PostHog address.': 'us ou eu : la première partie de votre adresse PostHog.',
  'quickbooks for a real company, or sandbox-quickbooks for one of a developer.':
    'quickbooks pour une véritable entreprise, ou sandbox-quickbooks pour celle d’un développeur.',
  'Address of your Salesforce organisation, such as https://acme.my.salesforce.com: in Salesforce, Setup, My Domain.':
    'L’adresse de votre organisation Salesforce, par exemple https://acme.my.salesforce.com. Elle figure dans Salesforce sous « Setup », « My Domain ».',
  'An OAuth access token of your organisation, such as sf org display --verbose shows. It works until your session ends.':
    'Un jeton d’accès OAuth de votre organisation, tel que l’affiche sf org display --verbose. Il est valable jusqu’à la fin de votre session.',
  'Where you sign in, without .salesforce.com: login, test for a sandbox, or your own domain, such as acme.my.':
    'Là où vous vous connectez, sans .salesforce.com : login, test pour une sandbox, ou votre propre domaine, par exemple acme.my.',
  "First part of your shop's address: acme in acme.myshopify.com.":
    'La première partie de l’adresse de votre boutique : acme dans acme.myshopify.com.',
  'api, or api.eu for a workspace in the EU.': 'api, ou api.eu pour un espace de travail dans l’UE.',
  'On business.facebook.com/settings, under Accounts, WhatsApp accounts, your account: the number after ID.':
    'Le numéro qui suit « ID » sur business.facebook.com/settings, sous « Accounts », « WhatsApp accounts », votre compte.',
  'Address of the site, such as https://example.com/blog.': 'L’adresse du site, par exemple https://example.com/blog.',
  'The name that you sign in to the site with.': 'Le nom avec lequel vous vous connectez au site.',
  'Email address of the Zendesk user whose rights are used.': 'L’adresse e-mail de l’utilisateur Zendesk dont les droits sont utilisés.',
  'First part of your Zendesk address: acme in acme.zendesk.com.':
    'La première partie de votre adresse Zendesk : acme dans acme.zendesk.com.',
  'Open airtable.com/create/tokens and choose Create token. Add the scopes for records, comments, the schema of bases, and user.email:read, and the bases to work with. The token begins with pat.':
    'Ouvrez airtable.com/create/tokens et choisissez « Create token ». Ajoutez les autorisations (scopes) pour les enregistrements, les commentaires, le schéma des bases et user.email:read, ainsi que les bases à utiliser. Le jeton commence par pat.',
  'Open platform.claude.com, then Settings, API keys, Create key. The key begins with sk-ant- and is shown only once.':
    'Ouvrez platform.claude.com, puis « Settings », « API keys », « Create key ». La clé commence par sk-ant- et n’est affichée qu’une fois.',
  'Open app.asana.com/0/my-apps. Under Personal access tokens, choose Create new token. It is shown only once.':
    'Ouvrez app.asana.com/0/my-apps. Sous « Personal access tokens », choisissez « Create new token ». Le jeton n’est affiché qu’une fois.',
  'In Attio, open Workspace settings, Developers, and add an access token with the scopes that you need.':
    'Dans Attio, ouvrez « Workspace settings », « Developers » et ajoutez un jeton d’accès avec les autorisations (scopes) dont vous avez besoin.',
  'Open app.box.com/developers/console, your app, Configuration, and choose Generate Developer Token. Such a token works for one hour.':
    'Ouvrez app.box.com/developers/console, votre application, « Configuration » et choisissez « Generate Developer Token ». Un tel jeton est valable une heure.',
  'In Brevo, open the menu of your account, SMTP & API, API keys, and generate a key. It begins with xkeysib- and is shown only once.':
    'Dans Brevo, ouvrez le menu de votre compte, « SMTP & API », « API keys » et générez une clé. Elle commence par xkeysib- et n’est affichée qu’une fois.',
  'In Cal.com, open Settings, Developer, API keys, and add a key. It begins with cal_ and is shown only once.':
    'Dans Cal.com, ouvrez « Settings », « Developer », « API keys » et ajoutez une clé. Elle commence par cal_ et n’est affichée qu’une fois.',
  'Open calendly.com/integrations/api_webhooks. Under Personal access tokens, choose Generate new token. It is shown only once.':
    'Ouvrez calendly.com/integrations/api_webhooks. Sous « Personal access tokens », choisissez « Generate new token ». Le jeton n’est affiché qu’une fois.',
  'In ClickUp, click your avatar, then Settings, Apps. Under API Token, choose Generate. The token begins with pk_.':
    'Dans ClickUp, cliquez sur votre avatar, puis sur « Settings », « Apps ». Sous « API Token », choisissez « Generate ». Le jeton commence par pk_.',
  'Open id.atlassian.com/manage-profile/security/api-tokens and choose Create API token, without scopes. It is shown only once.':
    'Ouvrez id.atlassian.com/manage-profile/security/api-tokens et choisissez « Create API token », sans autorisations (scopes). Le jeton n’est affiché qu’une fois.',
  'In Datadog, open Organization Settings, API Keys.': 'Dans Datadog, ouvrez « Organization Settings », « API Keys ».',
  'In Datadog, open Organization Settings, Application Keys, New Key. It is shown only once.':
    'Dans Datadog, ouvrez « Organization Settings », « Application Keys », « New Key ». La clé n’est affichée qu’une fois.',
  'Open discord.com/developers/applications, your application, Bot, and choose Reset Token. It is shown only once.':
    'Ouvrez discord.com/developers/applications, votre application, « Bot » et choisissez « Reset Token ». Le jeton n’est affiché qu’une fois.',
  'Open dropbox.com/developers/apps, your app, Settings. Under Generated access token, choose Generate. Such a token works for four hours.':
    'Ouvrez dropbox.com/developers/apps, votre application, « Settings ». Sous « Generated access token », choisissez « Generate ». Un tel jeton est valable quatre heures.',
  'In ElevenLabs, open Developers, API Keys, and create a key. It is shown only once.':
    'Dans ElevenLabs, ouvrez « Developers », « API Keys » et créez une clé. Elle n’est affichée qu’une fois.',
  'Sign in at dashboard.exa.ai and create a key under API Keys.': 'Connectez-vous à dashboard.exa.ai et créez une clé sous « API Keys ».',
  'In Figma, open Settings, Security, and generate a personal access token with the scopes that you need. It is shown only once.':
    'Dans Figma, ouvrez « Settings », « Security » et générez un jeton d’accès personnel avec les autorisations (scopes) dont vous avez besoin. Il n’est affiché qu’une fois.',
  'Sign in at firecrawl.dev and copy the key under API Keys. It begins with fc-.':
    'Connectez-vous à firecrawl.dev et copiez la clé sous « API Keys ». Elle commence par fc-.',
  'In Freshdesk, click your profile picture at the top right, then Profile settings, and View API key.':
    'Dans Freshdesk, cliquez sur votre photo de profil en haut à droite, puis sur « Profile settings » et « View API key ».',
  'Open github.com/settings/tokens and generate a token with the scopes repo and read:user, or a fine-grained one. It begins with ghp_ or github_pat_.':
    'Ouvrez github.com/settings/tokens et générez un jeton avec les autorisations (scopes) repo et read:user, ou un jeton « fine-grained ». Il commence par ghp_ ou github_pat_.',
  'In GitLab, click your avatar, then Edit profile, Access tokens, Add new token, with the scope api. It begins with glpat-.':
    'Dans GitLab, cliquez sur votre avatar, puis sur « Edit profile », « Access tokens », « Add new token », avec l’autorisation (scope) api. Le jeton commence par glpat-.',
  'In HubSpot, open Development, Keys, Service keys, Create service key. Add the scopes for contacts, companies, deals, owners and tickets.':
    'Dans HubSpot, ouvrez « Development », « Keys », « Service keys », « Create service key ». Ajoutez les autorisations (scopes) pour les contacts, les entreprises, les transactions, les propriétaires et les tickets.',
  'In Intercom, open Settings, Integrations, Developer Hub, your app, then Configure, Authentication, Access token.':
    'Dans Intercom, ouvrez « Settings », « Integrations », « Developer Hub », votre application, puis « Configure », « Authentication », « Access token ».',
  'In Klaviyo, open Settings, API keys, and create a private API key. It begins with pk_ and is shown only once.':
    'Dans Klaviyo, ouvrez « Settings », « API keys » et créez une clé d’API privée. Elle commence par pk_ et n’est affichée qu’une fois.',
  'In Linear, open Settings, Security & access. Under Personal API keys, choose New API key. It begins with lin_api_.':
    'Dans Linear, ouvrez « Settings », « Security & access ». Sous « Personal API keys », choisissez « New API key ». La clé commence par lin_api_.',
  'In Mailchimp, click your profile, then Account & billing, Extras, API keys, Create A Key. It is shown only once.':
    'Dans Mailchimp, cliquez sur votre profil, puis sur « Account & billing », « Extras », « API keys », « Create A Key ». La clé n’est affichée qu’une fois.',
  'In monday.com, click your profile picture, then Developers, My access tokens, Show.':
    'Dans monday.com, cliquez sur votre photo de profil, puis sur « Developers », « My access tokens », « Show ».',
  'Open notion.so/profile/integrations, your internal integration, and copy its secret. It begins with ntn_. Then add the integration to your pages: the menu with three dots, Connections.':
    'Ouvrez notion.so/profile/integrations, votre intégration interne, et copiez son secret. Il commence par ntn_. Ajoutez ensuite l’intégration à vos pages : menu à trois points, « Connections ».',
  'Open platform.openai.com/api-keys and choose Create new secret key. It begins with sk- and is shown only once.':
    'Ouvrez platform.openai.com/api-keys et choisissez « Create new secret key ». La clé commence par sk- et n’est affichée qu’une fois.',
  'In PagerDuty, click your picture, then My Profile, User Settings, Create API User Token. It is shown only once.':
    'Dans PagerDuty, cliquez sur votre photo, puis sur « My Profile », « User Settings », « Create API User Token ». Le jeton n’est affiché qu’une fois.',
  'Open developer.paypal.com/dashboard/applications/live and your app. The client id is under API credentials.':
    'Ouvrez developer.paypal.com/dashboard/applications/live, puis votre application. L’identifiant du client se trouve sous « API credentials ».',
  'On the same page, under the client id: choose Show.': 'Sur la même page, sous l’identifiant du client : choisissez « Show ».',
  'Sign in at console.perplexity.ai and create a key under API keys. It begins with pplx-.':
    'Connectez-vous à console.perplexity.ai et créez une clé sous « API keys ». Elle commence par pplx-.',
  'In Pipedrive, click your picture at the top right, then Personal preferences, API.':
    'Dans Pipedrive, cliquez sur votre photo en haut à droite, puis sur « Personal preferences », « API ».',
  'In PostHog, open Settings, Personal API keys, and create a key with the scopes that you need. It begins with phx_ and is shown only once.':
    'Dans PostHog, ouvrez « Settings », « Personal API keys » et créez une clé avec les autorisations (scopes) dont vous avez besoin. Elle commence par phx_ et n’est affichée qu’une fois.',
  'Open resend.com/api-keys and choose Create API Key, with full access. It begins with re_ and is shown only once.':
    'Ouvrez resend.com/api-keys et choisissez « Create API Key », avec un accès complet (« Full access »). La clé commence par re_ et n’est affichée qu’une fois.',
  'In SendGrid, open Settings, API Keys, Create API Key, with full access. It begins with SG. and is shown only once.':
    'Dans SendGrid, ouvrez « Settings », « API Keys », « Create API Key », avec un accès complet (« Full Access »). La clé commence par SG. et n’est affichée qu’une fois.',
  'Open sentry.io/settings/account/api/auth-tokens and choose Create New Token. It begins with sntryu_ and is shown only once.':
    'Ouvrez sentry.io/settings/account/api/auth-tokens et choisissez « Create New Token ». Le jeton commence par sntryu_ et n’est affiché qu’une fois.',
  "In your shop's admin, open Settings, Apps, Develop apps, your app, API credentials. Copy the Admin API access token, which begins with shpat_. Only apps made before 2026 have one.":
    'Dans l’interface d’administration de votre boutique, ouvrez « Settings », « Apps », « Develop apps », votre application, « API credentials ». Copiez l’« Admin API access token », qui commence par shpat_. Seules les applications créées avant 2026 en ont un.',
  'Open api.slack.com/apps, your app, OAuth & Permissions. Copy the Bot User OAuth Token, which begins with xoxb-.':
    'Ouvrez api.slack.com/apps, votre application, « OAuth & Permissions ». Copiez le « Bot User OAuth Token », qui commence par xoxb-.',
  'Open dashboard.stripe.com/apikeys and copy the secret key, or create a restricted key. It begins with sk_ or rk_.':
    'Ouvrez dashboard.stripe.com/apikeys et copiez la clé secrète, ou créez une clé limitée. Elle commence par sk_ ou rk_.',
  'Open supabase.com/dashboard/account/tokens and generate an access token. It begins with sbp_ and is shown only once.':
    'Ouvrez supabase.com/dashboard/account/tokens et générez un jeton d’accès. Il commence par sbp_ et n’est affiché qu’une fois.',
  'Sign in at app.tavily.com and copy the API key. It begins with tvly-.':
    'Connectez-vous à app.tavily.com et copiez la clé d’API. Elle commence par tvly-.',
  'In Telegram, write /mybots to @BotFather, then choose your bot and API Token. It looks like 123456:ABC-DEF.':
    'Dans Telegram, écrivez /mybots à @BotFather, puis choisissez votre bot et « API Token ». Le jeton ressemble à 123456:ABC-DEF.',
  'In Todoist, open Settings, Integrations, Developer, and copy the API token.':
    'Dans Todoist, ouvrez « Settings », « Integrations », « Developer » et copiez le jeton d’API.',
  'Open trello.com/power-ups/admin, your Power-Up, API key.': 'Ouvrez trello.com/power-ups/admin, votre Power-Up, « API key ».',
  'On the same page, follow the link Token beside the API key, and choose Allow.':
    'Sur la même page, suivez le lien « Token » à côté de la clé d’API et choisissez « Allow ».',
  'On the home page of console.twilio.com, under Account Info. It begins with AC.':
    'Sur la page d’accueil de console.twilio.com, sous « Account Info ». Il commence par AC.',
  'The Auth Token from the home page of console.twilio.com; or the secret of the API key.':
    'L’« Auth Token » de la page d’accueil de console.twilio.com, ou le secret de la clé d’API.',
  'The Account SID, which begins with AC; or the SID of an API key, which begins with SK.':
    'L’« Account SID », qui commence par AC, ou le SID d’une clé d’API, qui commence par SK.',
  'In Typeform, open the menu of your account, then Your settings, Personal tokens, Generate a new token. It begins with tfp_ and is shown only once.':
    'Dans Typeform, ouvrez le menu de votre compte, puis « Your settings », « Personal tokens », « Generate a new token ». Le jeton commence par tfp_ et n’est affiché qu’une fois.',
  'In Webflow, open Site settings, Apps & integrations, API access, Generate API token. It works for this one site.':
    'Dans Webflow, ouvrez « Site settings », « Apps & integrations », « API access », « Generate API token ». Le jeton n’est valable que pour ce site.',
  'Open business.facebook.com/settings, then Users, System users, Generate new token, with whatsapp_business_management and whatsapp_business_messaging.':
    'Ouvrez business.facebook.com/settings, puis « Users », « System users », « Generate new token », avec whatsapp_business_management et whatsapp_business_messaging.',
  "In your site's admin, open Users, Profile, Application Passwords. Enter a name and choose Add New Application Password.":
    'Dans l’administration de votre site, ouvrez « Users », « Profile », « Application Passwords ». Saisissez un nom et choisissez « Add New Application Password ».',
  'A token that you already have. Zendesk makes no new ones. The list is in Admin Center, Apps and integrations, APIs.':
    'Un jeton que vous avez déjà. Zendesk n’en crée plus de nouveaux. La liste se trouve dans « Admin Center », « Apps and integrations », « APIs ».',
  'Open coda.io/account. Under API settings, choose Generate API token. It is shown only once.':
    'Ouvrez coda.io/account. Sous « API settings », choisissez « Generate API token ». Le jeton n’est affiché qu’une fois.',
  'In Fireflies, open Integrations, Fireflies API, and copy the API key.':
    'Dans Fireflies, ouvrez « Integrations », « Fireflies API » et copiez la clé d’API.',
  Instance: 'Instance',
  'Account identifier': 'Identifiant du compte',
  'The email address of your Atlassian account.': 'L’adresse e-mail de votre compte Atlassian.',
  'The first part of your ServiceNow address: acme of acme.service-now.com.':
    'La première partie de votre adresse ServiceNow : acme dans acme.service-now.com.',
  'The name with which a ServiceNow user who may use REST signs in.':
    'Le nom avec lequel se connecte un utilisateur ServiceNow autorisé à utiliser REST.',
  'The password of a ServiceNow user who may use REST, such as a user for integrations.':
    'Le mot de passe d’un utilisateur ServiceNow autorisé à utiliser REST, par exemple un utilisateur pour les intégrations.',
  'In Apollo, open Settings, Integrations, API Keys, and create a key. Some functions need a master key.':
    'Dans Apollo, ouvrez « Settings », « Integrations », « API Keys » et créez une clé. Certaines fonctions nécessitent une « master key ».',
  'Open id.atlassian.com/manage-profile/security/api-tokens, choose Create API token with scopes, and the app Bitbucket. It is shown only once.':
    'Ouvrez id.atlassian.com/manage-profile/security/api-tokens, puis choisissez « Create API token with scopes » et l’application Bitbucket. Le jeton n’est affiché qu’une fois.',
  'In Bitbucket, open the settings of the workspace or repository, Access tokens, and create one. It is shown only once.':
    'Dans Bitbucket, ouvrez les paramètres de l’espace de travail ou du dépôt, « Access tokens » et créez un jeton. Il n’est affiché qu’une fois.',
  'Open console.cloud.google.com/google/maps-apis/credentials and create an API key for the Places, Routes and Address Validation APIs.':
    'Ouvrez console.cloud.google.com/google/maps-apis/credentials et créez une clé d’API pour les API « Places », « Routes » et « Address Validation ».',
  'In Snowsight, open your profile, Settings, Authentication, and generate a programmatic access token. It is shown only once.':
    'Dans Snowsight, ouvrez votre profil, « Settings », « Authentication » et générez un « programmatic access token ». Il n’est affiché qu’une fois.',
  'In Snowsight, open the account menu, View account details, and copy the account identifier with a hyphen, such as acme-eu1.':
    'Dans Snowsight, ouvrez le menu du compte, « View account details » et copiez l’identifiant du compte avec un tiret, par exemple acme-eu1.',
  'Open developer.squareup.com/apps, choose your application, and copy the production access token.':
    'Ouvrez developer.squareup.com/apps, choisissez votre application et copiez le jeton d’accès de « Production ».',
  'See, add, change and delete what you can in Asana':
    'Consulter, ajouter, modifier et supprimer tout ce à quoi vous avez accès dans Asana',
  'See, add, change and delete your files and folders': 'Consulter, ajouter, modifier et supprimer vos fichiers et dossiers',
  'See who you are': 'Savoir qui vous êtes',
  'See your event types': 'Consulter vos types d’événements',
  'Add, change and delete event types': 'Ajouter, modifier et supprimer des types d’événements',
  'See bookings': 'Consulter les réservations',
  'Make, move, confirm and cancel bookings': 'Créer, déplacer, confirmer et annuler des réservations',
  'See your hours': 'Consulter vos horaires',
  'Change your hours': 'Modifier vos horaires',
  'Keep the access until you end it': 'Conserver l’accès jusqu’à ce que vous y mettiez fin',
  'See who you are, and search pages': 'Savoir qui vous êtes et rechercher des pages',
  'See spaces': 'Consulter les espaces',
  'See pages and their labels': 'Consulter les pages et leurs étiquettes',
  'Add and change pages': 'Ajouter et modifier des pages',
  'Move pages to the trash': 'Placer des pages dans la corbeille',
  'See comments': 'Consulter les commentaires',
  'Add comments': 'Ajouter des commentaires',
  'See the files on pages': 'Consulter les fichiers des pages',
  'See tasks': 'Consulter les tâches',
  'Tick tasks off': 'Cocher des tâches',
  'See your name and e-mail address': 'Consulter votre nom et votre adresse e-mail',
  'See the names of your files and folders': 'Consulter les noms de vos fichiers et dossiers',
  'Read your files': 'Lire vos fichiers',
  'Add, change and delete your files': 'Ajouter, modifier et supprimer vos fichiers',
  'See what you share and with whom': 'Voir ce que vous partagez et avec qui',
  'Share your files and folders': 'Partager vos fichiers et dossiers',
  'See your name, email address and picture': 'Consulter votre nom, votre adresse e-mail et votre photo',
  'See projects and their files': 'Consulter les projets et leurs fichiers',
  'Read files, and render frames as images': 'Lire des fichiers et générer des images à partir de cadres',
  'See what files are called and who changed them': 'Voir le nom des fichiers et qui les a modifiés',
  'See the versions of files': 'Consulter les versions des fichiers',
  'Add and delete comments': 'Ajouter et supprimer des commentaires',
  'See the components and styles of files': 'Consulter les composants et les styles des fichiers',
  'See the dev resources of files': 'Consulter les « Dev resources » des fichiers',
  'Add dev resources to files': 'Ajouter des « Dev resources » aux fichiers',
  'Read and change your repositories, also private ones': 'Lire et modifier vos dépôts, y compris les dépôts privés',
  'See your profile': 'Consulter votre profil',
  'See and change everything that you can in GitLab': 'Consulter et modifier tout ce à quoi vous avez accès dans GitLab',
  'Read, write, send and move your e-mail to the trash': 'Lire, rédiger et envoyer vos e-mails, et les placer dans la corbeille',
  'See, change, share and delete your calendars and events': 'Consulter, modifier, partager et supprimer vos agendas et événements',
  'See, add, change and delete your Google Docs documents': 'Consulter, créer, modifier et supprimer vos documents Google Docs',
  'See and change the files that you open with this app': 'Consulter et modifier les fichiers que vous ouvrez avec cette application',
  'See, add, change and delete your files': 'Consulter, ajouter, modifier et supprimer vos fichiers',
  'See, add, change and delete your spreadsheets': 'Consulter, créer, modifier et supprimer vos feuilles de calcul',
  'See, add, change and delete your tasks': 'Consulter, ajouter, modifier et supprimer vos tâches',
  'See contacts': 'Consulter les contacts',
  'Add, change and delete contacts': 'Ajouter, modifier et supprimer des contacts',
  'See companies': 'Consulter les entreprises',
  'Add, change and delete companies': 'Ajouter, modifier et supprimer des entreprises',
  'See deals': 'Consulter les transactions',
  'Add, change and delete deals': 'Ajouter, modifier et supprimer des transactions',
  'See who owns contacts, companies and deals': 'Voir à qui appartiennent les contacts, les entreprises et les transactions',
  'See, add, change and delete tickets': 'Consulter, ajouter, modifier et supprimer des tickets',
  'See people and their profiles': 'Consulter les personnes et leurs profils',
  'See projects and issues': 'Consulter les projets et les tickets',
  'Add and change issues and comments': 'Ajouter et modifier des tickets et des commentaires',
  'See boards and sprints': 'Consulter les tableaux et les sprints',
  'Change sprints and what is in them': 'Modifier les sprints et leur contenu',
  'See your account': 'Consulter votre compte',
  'See profiles of customers': 'Consulter les profils des clients',
  'Add and change profiles': 'Ajouter et modifier des profils',
  'See lists': 'Consulter les listes',
  'Add and change lists, and who is on them': 'Ajouter et modifier des listes et leurs membres',
  'See segments': 'Consulter les segments',
  'Subscribe and unsubscribe people': 'Abonner et désabonner des personnes',
  'See which kinds of events there are': 'Voir quels types d’événements existent',
  'See events': 'Consulter les événements',
  'Add events': 'Ajouter des événements',
  'See campaigns': 'Consulter les campagnes',
  'See flows': 'Consulter les flux',
  'Switch flows on and off': 'Activer et désactiver des flux',
  'See templates': 'Consulter les modèles',
  'See your issues, projects and teams': 'Consulter vos tickets, projets et équipes',
  'Add and change issues, projects and comments': 'Ajouter et modifier des tickets, des projets et des commentaires',
  'See the names of people in your organisation': 'Consulter les noms des personnes de votre organisation',
  'See your teams and channels': 'Consulter vos équipes et canaux',
  'Send messages to channels': 'Envoyer des messages dans les canaux',
  'Read and send chat messages': 'Lire et envoyer des messages de conversation',
  'See, add and change online meetings': 'Consulter, ajouter et modifier des réunions en ligne',
  'Read, change and delete your e-mail': 'Lire, modifier et supprimer vos e-mails',
  'Send e-mail as you': 'Envoyer des e-mails en votre nom',
  'See, add, change and delete events of your calendars': 'Consulter, ajouter, modifier et supprimer des événements dans vos calendriers',
  'See, add, change and delete your contacts': 'Consulter, ajouter, modifier et supprimer vos contacts',
  'Send messages': 'Envoyer des messages',
  'See conversations and who is in them': 'Consulter les conversations et leurs participants',
  'Read messages': 'Lire les messages',
  'Join public channels': 'Rejoindre des canaux publics',
  'Create and change conversations': 'Créer et modifier des conversations',
  'Add and remove reactions': 'Ajouter et retirer des réactions',
  'Search messages': 'Rechercher dans les messages',
  'See the people of the workspace and their e-mail addresses': 'Consulter les personnes de l’espace de travail et leurs adresses e-mail',
  'See, add and change your tasks, projects and comments': 'Consulter, ajouter et modifier vos tâches, projets et commentaires',
  'Delete your tasks, projects and comments': 'Supprimer vos tâches, projets et commentaires',
  'See, change and delete your YouTube videos, playlists, ratings and comments':
    'Consulter, modifier et supprimer vos vidéos, playlists, notes et commentaires YouTube',
  'See, change and delete your data in BigQuery': 'Consulter, modifier et supprimer vos données dans BigQuery',
  'Send, see and void your envelopes': 'Envoyer, consulter et annuler vos enveloppes',
  'Create meeting spaces, and see and change those': 'Créer des espaces de réunion, les consulter et les modifier',
  'See your meetings': 'Consulter vos réunions',
  'See your name and picture': 'Consulter votre nom et votre photo',
  'See your email address': 'Consulter votre adresse e-mail',
  'Post, comment and react for you': 'Publier, commenter et réagir en votre nom',
  'See your business and its locations': 'Consulter votre entreprise et ses points de vente',
  'See payments and refunds': 'Consulter les paiements et les remboursements',
  'Take, cancel and refund payments': 'Encaisser, annuler et rembourser des paiements',
  'See customers': 'Consulter les clients',
  'Add and change customers': 'Ajouter et modifier des clients',
  'See orders': 'Consulter les commandes',
  'Add orders and payment links': 'Ajouter des commandes et des liens de paiement',
  'See invoices': 'Consulter les factures',
  'Add, send and cancel invoices': 'Ajouter, envoyer et annuler des factures',
  'See the items that you sell': 'Consulter les articles que vous vendez',
  'See your stock': 'Consulter vos stocks',
  'See all posts that you can see': 'Voir tous les posts que vous pouvez voir',
  'Post and repost for you': 'Poster et reposter en votre nom',
  'See who you are and other accounts': 'Savoir qui vous êtes et voir d’autres comptes',
  'See whom you follow and who follows you': 'Voir qui vous suivez et qui vous suit',
  'Follow and unfollow accounts for you': 'Suivre des comptes et ne plus les suivre en votre nom',
  'See posts that you like': 'Voir les posts que vous aimez',
  'Like posts for you': 'Aimer des posts en votre nom',
  'See your bookmarks': 'Consulter vos signets',
  'Add and delete bookmarks': 'Ajouter et supprimer des signets',
  'Read your direct messages': 'Lire vos messages privés',
  'Send direct messages for you': 'Envoyer des messages privés en votre nom',
  'See, add, change and delete records': 'Consulter, ajouter, modifier et supprimer des enregistrements',
  'See which kinds of records there are': 'Voir quels types d’enregistrements existent',
  'See which fields records have': 'Voir de quels champs se composent les enregistrements',
  'See users': 'Consulter les utilisateurs',
  'See your organization': 'Consulter votre organisation',
  'Query records': 'Interroger les enregistrements',
  'Search records': 'Rechercher des enregistrements',
}
