/** The texts of the built-in app files, by the English text. */
export const texts: Readonly<Record<string, string>> = {
  'Access token': 'Token de acceso',
  'The token that the app gave for its API.': 'El token que la app le dio para su API.',
  'API key': 'Clave de API',
  'The key that the app gave for its API.': 'La clave que la app le dio para su API.',
  'User name': 'Nombre de usuario',
  'The name that the app takes for basic authentication.': 'El nombre que la app usa para la autenticación básica.',
  Password: 'Contraseña',
  'The password that goes with the user name.': 'La contraseña de ese nombre de usuario.',
  'Client id': 'ID de cliente',
  'The id of the client that the app made for you.': 'El ID del cliente que la app creó para usted.',
  'Client secret': 'Secreto de cliente',
  'The secret that came with the client id.': 'El secreto que recibió con el ID de cliente.',
  'API token': 'Token de API',
  'Email address': 'Dirección de correo electrónico',
  Email: 'Correo electrónico',
  Site: 'Sitio',
  'API address': 'Dirección de la API',
  'Application key': 'Clave de aplicación',
  'Bot token': 'Token del bot',
  Domain: 'Dominio',
  Server: 'Servidor',
  'Data centre': 'Centro de datos',
  Environment: 'Entorno',
  Region: 'Región',
  Host: 'Host',
  'Instance URL': 'URL de la instancia',
  'Login host': 'Host de inicio de sesión',
  Shop: 'Tienda',
  Token: 'Token',
  'Account SID': 'Account SID',
  'WhatsApp Business account id': 'ID de la cuenta de WhatsApp Business',
  'Application password': 'Contraseña de aplicación',
  'Site address': 'Dirección del sitio',
  Subdomain: 'Subdominio',
  'The email address that you sign in to Confluence with.': 'La dirección de correo con la que inicia sesión en Confluence.',
  'The first part of your Confluence address: acme of acme.atlassian.net.':
    'La primera parte de su dirección de Confluence: acme en acme.atlassian.net.',
  'Address of the API of your Datadog site, such as https://api.datadoghq.com or https://api.datadoghq.eu.':
    'La dirección de la API de su sitio de Datadog, por ejemplo https://api.datadoghq.com o https://api.datadoghq.eu.',
  'First part of your Freshdesk address: acme in acme.freshdesk.com.':
    'La primera parte de su dirección de Freshdesk: acme en acme.freshdesk.com.',
  'Address of your GitLab server.': 'La dirección de su servidor de GitLab.',
  'The email address that you sign in to Jira with.': 'La dirección de correo con la que inicia sesión en Jira.',
  'The first part of your Jira address: acme of acme.atlassian.net.':
    'La primera parte de su dirección de Jira: acme en acme.atlassian.net.',
  'The end of your API key, after the hyphen, such as us6.': 'El final de su clave de API, después del guion, por ejemplo us6.',
  'api-m for real payments, or api-m.sandbox for an app from the Sandbox tab.':
    'api-m para pagos reales, o api-m.sandbox para una app de la pestaña «Sandbox».',
  'us or eu: the first part of your PostHog address.': 'us o eu: la primera parte de su dirección de PostHog.',
  'quickbooks for a real company, or sandbox-quickbooks for one of a developer.':
    'quickbooks para una empresa real, o sandbox-quickbooks para una de desarrollo.',
  'Address of your Salesforce organisation, such as https://acme.my.salesforce.com: in Salesforce, Setup, My Domain.':
    'La dirección de su organización de Salesforce, por ejemplo https://acme.my.salesforce.com. Está en Salesforce, en «Setup», «My Domain».',
  'An OAuth access token of your organisation, such as sf org display --verbose shows. It works until your session ends.':
    'Un token de acceso OAuth de su organización, como el que muestra sf org display --verbose. Es válido hasta que termine su sesión.',
  'Where you sign in, without .salesforce.com: login, test for a sandbox, or your own domain, such as acme.my.':
    'Dónde inicia sesión, sin .salesforce.com: login, test si es una sandbox, o su propio dominio, por ejemplo acme.my.',
  "First part of your shop's address: acme in acme.myshopify.com.":
    'La primera parte de la dirección de su tienda: acme en acme.myshopify.com.',
  'api, or api.eu for a workspace in the EU.': 'api, o api.eu para un espacio de trabajo en la UE.',
  'On business.facebook.com/settings, under Accounts, WhatsApp accounts, your account: the number after ID.':
    'El número que sigue a «ID» en business.facebook.com/settings, en «Accounts», «WhatsApp accounts», su cuenta.',
  'Address of the site, such as https://example.com/blog.': 'La dirección del sitio, por ejemplo https://example.com/blog.',
  'The name that you sign in to the site with.': 'El nombre con el que inicia sesión en el sitio.',
  'Email address of the Zendesk user whose rights are used.': 'La dirección de correo del usuario de Zendesk cuyos permisos se usan.',
  'First part of your Zendesk address: acme in acme.zendesk.com.': 'La primera parte de su dirección de Zendesk: acme en acme.zendesk.com.',
  'Open airtable.com/create/tokens and choose Create token. Add the scopes for records, comments, the schema of bases, and user.email:read, and the bases to work with. The token begins with pat.':
    'Abra airtable.com/create/tokens y elija «Create token». Añada los permisos (scopes) para registros, comentarios, el esquema de las bases y user.email:read, y las bases con las que trabajar. El token empieza por pat.',
  'Open platform.claude.com, then Settings, API keys, Create key. The key begins with sk-ant- and is shown only once.':
    'Abra platform.claude.com y después «Settings», «API keys», «Create key». La clave empieza por sk-ant- y solo se muestra una vez.',
  'Open app.asana.com/0/my-apps. Under Personal access tokens, choose Create new token. It is shown only once.':
    'Abra app.asana.com/0/my-apps. En «Personal access tokens», elija «Create new token». El token solo se muestra una vez.',
  'In Attio, open Workspace settings, Developers, and add an access token with the scopes that you need.':
    'En Attio, abra «Workspace settings», «Developers» y añada un token de acceso con los permisos (scopes) que necesite.',
  'Open app.box.com/developers/console, your app, Configuration, and choose Generate Developer Token. Such a token works for one hour.':
    'Abra app.box.com/developers/console, su app, «Configuration» y elija «Generate Developer Token». Ese token es válido durante una hora.',
  'In Brevo, open the menu of your account, SMTP & API, API keys, and generate a key. It begins with xkeysib- and is shown only once.':
    'En Brevo, abra el menú de su cuenta, «SMTP & API», «API keys» y genere una clave. Empieza por xkeysib- y solo se muestra una vez.',
  'In Cal.com, open Settings, Developer, API keys, and add a key. It begins with cal_ and is shown only once.':
    'En Cal.com, abra «Settings», «Developer», «API keys» y añada una clave. Empieza por cal_ y solo se muestra una vez.',
  'Open calendly.com/integrations/api_webhooks. Under Personal access tokens, choose Generate new token. It is shown only once.':
    'Abra calendly.com/integrations/api_webhooks. En «Personal access tokens», elija «Generate new token». El token solo se muestra una vez.',
  'In ClickUp, click your avatar, then Settings, Apps. Under API Token, choose Generate. The token begins with pk_.':
    'En ClickUp, haga clic en su avatar y después en «Settings», «Apps». En «API Token», elija «Generate». El token empieza por pk_.',
  'Open id.atlassian.com/manage-profile/security/api-tokens and choose Create API token, without scopes. It is shown only once.':
    'Abra id.atlassian.com/manage-profile/security/api-tokens y elija «Create API token», sin permisos (scopes). El token solo se muestra una vez.',
  'In Datadog, open Organization Settings, API Keys.': 'En Datadog, abra «Organization Settings», «API Keys».',
  'In Datadog, open Organization Settings, Application Keys, New Key. It is shown only once.':
    'En Datadog, abra «Organization Settings», «Application Keys», «New Key». La clave solo se muestra una vez.',
  'Open discord.com/developers/applications, your application, Bot, and choose Reset Token. It is shown only once.':
    'Abra discord.com/developers/applications, su aplicación, «Bot» y elija «Reset Token». El token solo se muestra una vez.',
  'Open dropbox.com/developers/apps, your app, Settings. Under Generated access token, choose Generate. Such a token works for four hours.':
    'Abra dropbox.com/developers/apps, su app, «Settings». En «Generated access token», elija «Generate». Ese token es válido durante cuatro horas.',
  'In ElevenLabs, open Developers, API Keys, and create a key. It is shown only once.':
    'En ElevenLabs, abra «Developers», «API Keys» y cree una clave. Solo se muestra una vez.',
  'Sign in at dashboard.exa.ai and create a key under API Keys.': 'Inicie sesión en dashboard.exa.ai y cree una clave en «API Keys».',
  'In Figma, open Settings, Security, and generate a personal access token with the scopes that you need. It is shown only once.':
    'En Figma, abra «Settings», «Security» y genere un token de acceso personal con los permisos (scopes) que necesite. Solo se muestra una vez.',
  'Sign in at firecrawl.dev and copy the key under API Keys. It begins with fc-.':
    'Inicie sesión en firecrawl.dev y copie la clave que aparece en «API Keys». Empieza por fc-.',
  'In Freshdesk, click your profile picture at the top right, then Profile settings, and View API key.':
    'En Freshdesk, haga clic en su foto de perfil, arriba a la derecha, y después en «Profile settings» y «View API key».',
  'Open github.com/settings/tokens and generate a token with the scopes repo and read:user, or a fine-grained one. It begins with ghp_ or github_pat_.':
    'Abra github.com/settings/tokens y genere un token con los permisos (scopes) repo y read:user, o uno «fine-grained». Empieza por ghp_ o github_pat_.',
  'In GitLab, click your avatar, then Edit profile, Access tokens, Add new token, with the scope api. It begins with glpat-.':
    'En GitLab, haga clic en su avatar y después en «Edit profile», «Access tokens», «Add new token», con el permiso (scope) api. El token empieza por glpat-.',
  'In HubSpot, open Development, Keys, Service keys, Create service key. Add the scopes for contacts, companies, deals, owners and tickets.':
    'En HubSpot, abra «Development», «Keys», «Service keys», «Create service key». Añada los permisos (scopes) para contactos, empresas, negocios, propietarios y tickets.',
  'In Intercom, open Settings, Integrations, Developer Hub, your app, then Configure, Authentication, Access token.':
    'En Intercom, abra «Settings», «Integrations», «Developer Hub», su app y después «Configure», «Authentication», «Access token».',
  'In Klaviyo, open Settings, API keys, and create a private API key. It begins with pk_ and is shown only once.':
    'En Klaviyo, abra «Settings», «API keys» y cree una clave de API privada. Empieza por pk_ y solo se muestra una vez.',
  'In Linear, open Settings, Security & access. Under Personal API keys, choose New API key. It begins with lin_api_.':
    'En Linear, abra «Settings», «Security & access». En «Personal API keys», elija «New API key». La clave empieza por lin_api_.',
  'In Mailchimp, click your profile, then Account & billing, Extras, API keys, Create A Key. It is shown only once.':
    'En Mailchimp, haga clic en su perfil y después en «Account & billing», «Extras», «API keys», «Create A Key». La clave solo se muestra una vez.',
  'In monday.com, click your profile picture, then Developers, My access tokens, Show.':
    'En monday.com, haga clic en su foto de perfil y después en «Developers», «My access tokens», «Show».',
  'Open notion.so/profile/integrations, your internal integration, and copy its secret. It begins with ntn_. Then add the integration to your pages: the menu with three dots, Connections.':
    'Abra notion.so/profile/integrations, su integración interna, y copie su secreto. Empieza por ntn_. Después añada la integración a sus páginas: en el menú de los tres puntos, «Connections».',
  'Open platform.openai.com/api-keys and choose Create new secret key. It begins with sk- and is shown only once.':
    'Abra platform.openai.com/api-keys y elija «Create new secret key». La clave empieza por sk- y solo se muestra una vez.',
  'In PagerDuty, click your picture, then My Profile, User Settings, Create API User Token. It is shown only once.':
    'En PagerDuty, haga clic en su foto y después en «My Profile», «User Settings», «Create API User Token». El token solo se muestra una vez.',
  'Open developer.paypal.com/dashboard/applications/live and your app. The client id is under API credentials.':
    'Abra developer.paypal.com/dashboard/applications/live y, allí, su app. El ID de cliente está en «API credentials».',
  'On the same page, under the client id: choose Show.': 'En la misma página, debajo del ID de cliente: elija «Show».',
  'Sign in at console.perplexity.ai and create a key under API keys. It begins with pplx-.':
    'Inicie sesión en console.perplexity.ai y cree una clave en «API keys». Empieza por pplx-.',
  'In Pipedrive, click your picture at the top right, then Personal preferences, API.':
    'En Pipedrive, haga clic en su foto, arriba a la derecha, y después en «Personal preferences», «API».',
  'In PostHog, open Settings, Personal API keys, and create a key with the scopes that you need. It begins with phx_ and is shown only once.':
    'En PostHog, abra «Settings», «Personal API keys» y cree una clave con los permisos (scopes) que necesite. Empieza por phx_ y solo se muestra una vez.',
  'Open resend.com/api-keys and choose Create API Key, with full access. It begins with re_ and is shown only once.':
    'Abra resend.com/api-keys y elija «Create API Key», con acceso completo («Full access»). La clave empieza por re_ y solo se muestra una vez.',
  'In SendGrid, open Settings, API Keys, Create API Key, with full access. It begins with SG. and is shown only once.':
    'En SendGrid, abra «Settings», «API Keys», «Create API Key», con acceso completo («Full Access»). La clave empieza por SG. y solo se muestra una vez.',
  'Open sentry.io/settings/account/api/auth-tokens and choose Create New Token. It begins with sntryu_ and is shown only once.':
    'Abra sentry.io/settings/account/api/auth-tokens y elija «Create New Token». El token empieza por sntryu_ y solo se muestra una vez.',
  "In your shop's admin, open Settings, Apps, Develop apps, your app, API credentials. Copy the Admin API access token, which begins with shpat_. Only apps made before 2026 have one.":
    'En el panel de control de su tienda, abra «Settings», «Apps», «Develop apps», su app, «API credentials». Copie el «Admin API access token», que empieza por shpat_. Solo lo tienen las apps creadas antes de 2026.',
  'Open api.slack.com/apps, your app, OAuth & Permissions. Copy the Bot User OAuth Token, which begins with xoxb-.':
    'Abra api.slack.com/apps, su app, «OAuth & Permissions». Copie el «Bot User OAuth Token», que empieza por xoxb-.',
  'Open dashboard.stripe.com/apikeys and copy the secret key, or create a restricted key. It begins with sk_ or rk_.':
    'Abra dashboard.stripe.com/apikeys y copie la clave secreta, o cree una clave restringida. Empieza por sk_ o rk_.',
  'Open supabase.com/dashboard/account/tokens and generate an access token. It begins with sbp_ and is shown only once.':
    'Abra supabase.com/dashboard/account/tokens y genere un token de acceso. Empieza por sbp_ y solo se muestra una vez.',
  'Sign in at app.tavily.com and copy the API key. It begins with tvly-.':
    'Inicie sesión en app.tavily.com y copie la clave de API. Empieza por tvly-.',
  'In Telegram, write /mybots to @BotFather, then choose your bot and API Token. It looks like 123456:ABC-DEF.':
    'En Telegram, escriba /mybots a @BotFather y después elija su bot y «API Token». El token es parecido a 123456:ABC-DEF.',
  'In Todoist, open Settings, Integrations, Developer, and copy the API token.':
    'En Todoist, abra «Settings», «Integrations», «Developer» y copie el token de API.',
  'Open trello.com/power-ups/admin, your Power-Up, API key.': 'Abra trello.com/power-ups/admin, su Power-Up, «API key».',
  'On the same page, follow the link Token beside the API key, and choose Allow.':
    'En la misma página, siga el enlace «Token» junto a la clave de API y elija «Allow».',
  'On the home page of console.twilio.com, under Account Info. It begins with AC.':
    'En la página de inicio de console.twilio.com, en «Account Info». Empieza por AC.',
  'The Auth Token from the home page of console.twilio.com; or the secret of the API key.':
    'El «Auth Token» de la página de inicio de console.twilio.com, o el secreto de la clave de API.',
  'The Account SID, which begins with AC; or the SID of an API key, which begins with SK.':
    'El «Account SID», que empieza por AC, o el SID de una clave de API, que empieza por SK.',
  'In Typeform, open the menu of your account, then Your settings, Personal tokens, Generate a new token. It begins with tfp_ and is shown only once.':
    'En Typeform, abra el menú de su cuenta y después «Your settings», «Personal tokens», «Generate a new token». El token empieza por tfp_ y solo se muestra una vez.',
  'In Webflow, open Site settings, Apps & integrations, API access, Generate API token. It works for this one site.':
    'En Webflow, abra «Site settings», «Apps & integrations», «API access», «Generate API token». El token solo es válido para ese sitio.',
  'Open business.facebook.com/settings, then Users, System users, Generate new token, with whatsapp_business_management and whatsapp_business_messaging.':
    'Abra business.facebook.com/settings y después «Users», «System users», «Generate new token», con whatsapp_business_management y whatsapp_business_messaging.',
  "In your site's admin, open Users, Profile, Application Passwords. Enter a name and choose Add New Application Password.":
    'En el escritorio de administración de su sitio, abra «Users», «Profile», «Application Passwords». Escriba un nombre y elija «Add New Application Password».',
  'A token that you already have. Zendesk makes no new ones. The list is in Admin Center, Apps and integrations, APIs.':
    'Un token que ya tenga. Zendesk no crea tokens nuevos. La lista está en «Admin Center», «Apps and integrations», «APIs».',
  'Open coda.io/account. Under API settings, choose Generate API token. It is shown only once.':
    'Abra coda.io/account. En «API settings», elija «Generate API token». El token solo se muestra una vez.',
  'In Fireflies, open Integrations, Fireflies API, and copy the API key.':
    'En Fireflies, abra «Integrations», «Fireflies API» y copie la clave de API.',
  Instance: 'Instancia',
  'Account identifier': 'Identificador de la cuenta',
  'The email address of your Atlassian account.': 'La dirección de correo de su cuenta de Atlassian.',
  'The first part of your ServiceNow address: acme of acme.service-now.com.':
    'La primera parte de su dirección de ServiceNow: acme en acme.service-now.com.',
  'The name with which a ServiceNow user who may use REST signs in.':
    'El nombre con el que inicia sesión un usuario de ServiceNow que puede usar REST.',
  'The password of a ServiceNow user who may use REST, such as a user for integrations.':
    'La contraseña de un usuario de ServiceNow que puede usar REST, por ejemplo un usuario para integraciones.',
  'In Apollo, open Settings, Integrations, API Keys, and create a key. Some functions need a master key.':
    'En Apollo, abra «Settings», «Integrations», «API Keys» y cree una clave. Algunas funciones necesitan una «master key».',
  'Open id.atlassian.com/manage-profile/security/api-tokens, choose Create API token with scopes, and the app Bitbucket. It is shown only once.':
    'Abra id.atlassian.com/manage-profile/security/api-tokens y elija «Create API token with scopes» y la app Bitbucket. El token solo se muestra una vez.',
  'In Bitbucket, open the settings of the workspace or repository, Access tokens, and create one. It is shown only once.':
    'En Bitbucket, abra la configuración del espacio de trabajo o del repositorio, «Access tokens» y cree un token. Solo se muestra una vez.',
  'Open console.cloud.google.com/google/maps-apis/credentials and create an API key for the Places, Routes and Address Validation APIs.':
    'Abra console.cloud.google.com/google/maps-apis/credentials y cree una clave de API para las API «Places», «Routes» y «Address Validation».',
  'In Snowsight, open your profile, Settings, Authentication, and generate a programmatic access token. It is shown only once.':
    'En Snowsight, abra su perfil, «Settings», «Authentication» y genere un «programmatic access token». Solo se muestra una vez.',
  'In Snowsight, open the account menu, View account details, and copy the account identifier with a hyphen, such as acme-eu1.':
    'En Snowsight, abra «View account details» en el menú de la cuenta y copie el identificador de la cuenta con guion, por ejemplo acme-eu1.',
  'Open developer.squareup.com/apps, choose your application, and copy the production access token.':
    'Abra developer.squareup.com/apps, elija su aplicación y copie el token de acceso de «Production».',
  'See, add, change and delete what you can in Asana':
    'Ver, añadir, modificar y eliminar todo aquello a lo que usted tiene acceso en Asana',
  'See, add, change and delete your files and folders': 'Ver, añadir, modificar y eliminar sus archivos y carpetas',
  'See who you are': 'Ver quién es usted',
  'See your event types': 'Ver sus tipos de eventos',
  'Add, change and delete event types': 'Añadir, modificar y eliminar tipos de eventos',
  'See bookings': 'Ver reservas',
  'Make, move, confirm and cancel bookings': 'Hacer, cambiar, confirmar y cancelar reservas',
  'See your hours': 'Ver su horario',
  'Change your hours': 'Modificar su horario',
  'Keep the access until you end it': 'Mantener el acceso hasta que usted lo retire',
  'See who you are, and search pages': 'Ver quién es usted y buscar páginas',
  'See spaces': 'Ver espacios',
  'See pages and their labels': 'Ver páginas y sus etiquetas',
  'Add and change pages': 'Añadir y modificar páginas',
  'Move pages to the trash': 'Mover páginas a la papelera',
  'See comments': 'Ver comentarios',
  'Add comments': 'Añadir comentarios',
  'See the files on pages': 'Ver los archivos de las páginas',
  'See tasks': 'Ver tareas',
  'Tick tasks off': 'Marcar tareas como completadas',
  'See your name and e-mail address': 'Ver su nombre y su dirección de correo electrónico',
  'See the names of your files and folders': 'Ver los nombres de sus archivos y carpetas',
  'Read your files': 'Leer sus archivos',
  'Add, change and delete your files': 'Añadir, modificar y eliminar sus archivos',
  'See what you share and with whom': 'Ver qué comparte y con quién',
  'Share your files and folders': 'Compartir sus archivos y carpetas',
  'See your name, email address and picture': 'Ver su nombre, su dirección de correo electrónico y su foto',
  'See projects and their files': 'Ver proyectos y sus archivos',
  'Read files, and render frames as images': 'Leer archivos y exportar frames como imágenes',
  'See what files are called and who changed them': 'Ver cómo se llaman los archivos y quién los modificó',
  'See the versions of files': 'Ver las versiones de los archivos',
  'Add and delete comments': 'Añadir y eliminar comentarios',
  'See the components and styles of files': 'Ver los componentes y estilos de los archivos',
  'See the dev resources of files': 'Ver los «Dev resources» de los archivos',
  'Add dev resources to files': 'Añadir «Dev resources» a archivos',
  'Read and change your repositories, also private ones': 'Leer y modificar sus repositorios, también los privados',
  'See your profile': 'Ver su perfil',
  'See and change everything that you can in GitLab': 'Ver y modificar todo aquello a lo que usted tiene acceso en GitLab',
  'Read, write, send and move your e-mail to the trash': 'Leer, redactar y enviar sus correos electrónicos, y moverlos a la papelera',
  'See, change, share and delete your calendars and events': 'Ver, modificar, compartir y eliminar sus calendarios y eventos',
  'See, add, change and delete your Google Docs documents': 'Ver, crear, modificar y eliminar sus documentos de Google Docs',
  'See and change the files that you open with this app': 'Ver y modificar los archivos que abra con esta app',
  'See, add, change and delete your files': 'Ver, añadir, modificar y eliminar sus archivos',
  'See, add, change and delete your spreadsheets': 'Ver, crear, modificar y eliminar sus hojas de cálculo',
  'See, add, change and delete your tasks': 'Ver, añadir, modificar y eliminar sus tareas',
  'See contacts': 'Ver contactos',
  'Add, change and delete contacts': 'Añadir, modificar y eliminar contactos',
  'See companies': 'Ver empresas',
  'Add, change and delete companies': 'Añadir, modificar y eliminar empresas',
  'See deals': 'Ver negocios',
  'Add, change and delete deals': 'Añadir, modificar y eliminar negocios',
  'See who owns contacts, companies and deals': 'Ver quién es el propietario de contactos, empresas y negocios',
  'See, add, change and delete tickets': 'Ver, añadir, modificar y eliminar tickets',
  'See people and their profiles': 'Ver personas y sus perfiles',
  'See projects and issues': 'Ver proyectos e incidencias',
  'Add and change issues and comments': 'Añadir y modificar incidencias y comentarios',
  'See boards and sprints': 'Ver tableros y sprints',
  'Change sprints and what is in them': 'Modificar sprints y su contenido',
  'See your account': 'Ver su cuenta',
  'See profiles of customers': 'Ver perfiles de clientes',
  'Add and change profiles': 'Añadir y modificar perfiles',
  'See lists': 'Ver listas',
  'Add and change lists, and who is on them': 'Añadir y modificar listas, y quién figura en ellas',
  'See segments': 'Ver segmentos',
  'Subscribe and unsubscribe people': 'Suscribir personas y cancelar sus suscripciones',
  'See which kinds of events there are': 'Ver qué tipos de eventos hay',
  'See events': 'Ver eventos',
  'Add events': 'Añadir eventos',
  'See campaigns': 'Ver campañas',
  'See flows': 'Ver flujos',
  'Switch flows on and off': 'Activar y desactivar flujos',
  'See templates': 'Ver plantillas',
  'See your issues, projects and teams': 'Ver sus incidencias, proyectos y equipos',
  'Add and change issues, projects and comments': 'Añadir y modificar incidencias, proyectos y comentarios',
  'See the names of people in your organisation': 'Ver los nombres de las personas de su organización',
  'See your teams and channels': 'Ver sus equipos y canales',
  'Send messages to channels': 'Enviar mensajes a canales',
  'Read and send chat messages': 'Leer y enviar mensajes de chat',
  'See, add and change online meetings': 'Ver, añadir y modificar reuniones en línea',
  'Read, change and delete your e-mail': 'Leer, modificar y eliminar sus correos electrónicos',
  'Send e-mail as you': 'Enviar correos electrónicos en su nombre',
  'See, add, change and delete events of your calendars': 'Ver, añadir, modificar y eliminar eventos de sus calendarios',
  'See, add, change and delete your contacts': 'Ver, añadir, modificar y eliminar sus contactos',
  'Send messages': 'Enviar mensajes',
  'See conversations and who is in them': 'Ver conversaciones y quién participa en ellas',
  'Read messages': 'Leer mensajes',
  'Join public channels': 'Unirse a canales públicos',
  'Create and change conversations': 'Crear y modificar conversaciones',
  'Add and remove reactions': 'Añadir y quitar reacciones',
  'Search messages': 'Buscar mensajes',
  'See the people of the workspace and their e-mail addresses':
    'Ver las personas del espacio de trabajo y sus direcciones de correo electrónico',
  'See, add and change your tasks, projects and comments': 'Ver, añadir y modificar sus tareas, proyectos y comentarios',
  'Delete your tasks, projects and comments': 'Eliminar sus tareas, proyectos y comentarios',
  'See, change and delete your YouTube videos, playlists, ratings and comments':
    'Ver, modificar y eliminar sus vídeos, listas de reproducción, valoraciones y comentarios de YouTube',
  'See, change and delete your data in BigQuery': 'Ver, modificar y eliminar sus datos en BigQuery',
  'Send, see and void your envelopes': 'Enviar, ver y anular sus sobres',
  'Create meeting spaces, and see and change those': 'Crear espacios de reunión, verlos y modificarlos',
  'See your meetings': 'Ver sus reuniones',
  'See your name and picture': 'Ver su nombre y su foto',
  'See your email address': 'Ver su dirección de correo electrónico',
  'Post, comment and react for you': 'Publicar, comentar y reaccionar en su nombre',
  'See your business and its locations': 'Ver su negocio y sus puntos de venta',
  'See payments and refunds': 'Ver pagos y reembolsos',
  'Take, cancel and refund payments': 'Cobrar, cancelar y reembolsar pagos',
  'See customers': 'Ver clientes',
  'Add and change customers': 'Añadir y modificar clientes',
  'See orders': 'Ver pedidos',
  'Add orders and payment links': 'Añadir pedidos y enlaces de pago',
  'See invoices': 'Ver facturas',
  'Add, send and cancel invoices': 'Añadir, enviar y cancelar facturas',
  'See the items that you sell': 'Ver los artículos que vende',
  'See your stock': 'Ver sus existencias',
  'See all posts that you can see': 'Ver todos los posts que usted puede ver',
  'Post and repost for you': 'Publicar y repostear en su nombre',
  'See who you are and other accounts': 'Ver quién es usted y otras cuentas',
  'See whom you follow and who follows you': 'Ver a quién sigue usted y quién le sigue',
  'Follow and unfollow accounts for you': 'Seguir y dejar de seguir cuentas en su nombre',
  'See posts that you like': 'Ver los posts que le gustan',
  'Like posts for you': 'Indicar en su nombre que le gustan posts',
  'See your bookmarks': 'Ver sus elementos guardados',
  'Add and delete bookmarks': 'Añadir y eliminar elementos guardados',
  'Read your direct messages': 'Leer sus mensajes directos',
  'Send direct messages for you': 'Enviar mensajes directos en su nombre',
  'See, add, change and delete records': 'Ver, añadir, modificar y eliminar registros',
  'See which kinds of records there are': 'Ver qué tipos de registros hay',
  'See which fields records have': 'Ver qué campos tienen los registros',
  'See users': 'Ver usuarios',
  'See your organization': 'Ver su organización',
  'Query records': 'Consultar registros',
  'Search records': 'Buscar registros',
}
