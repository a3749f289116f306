// SPDX-License-Identifier: Apache-2.0

extension PageWords {
    static let spanish = PageWords(
        language: "es",
        [
            .logIn: "Iniciar sesión",
            .holdCode: "Muestre este código a la cámara del terminal e introduzca allí su PIN.",
            .orType: "O introduzca este código en el terminal: {code}",
            .newCode: "Mostrar un código nuevo",
            .picture: "Código QR para el terminal",
            .statusNew: "Esperando al terminal ...",
            .statusScanned: "El terminal ha leído el código.",
            .statusUser: "Introduzca el PIN en el terminal.",
            .statusDeclined:
                "No se ha iniciado ninguna sesión. Para volver a intentarlo, muestre el código a la cámara.",
            .statusNoSession: "La página no tiene código. ¿Están permitidas las cookies?",
            .statusSilent: "El sitio no responde. Se intenta de nuevo.",
            .loggedIn: "Sesión iniciada",
            .loggedInAs: "Ha iniciado sesión como {user}.",
            .protectedPage: "La página protegida",
            .welcome: "Le damos la bienvenida",
            .hello: "Hola, {user}. Solo ven esta página las personas que han iniciado sesión.",
            .loginNeededTitle: "Sesión no iniciada",
            .loginNeeded: "Esta página es para personas que han iniciado sesión.",
            .logOut: "Cerrar sesión",
            .confirmTitle: "Confirmar el registro",
            .confirmQuestion: "¿Ha registrado usted a {user}?",
            .confirmAgainQuestion: """
            {user} ya está en el registro. ¿Ha pedido usted registrarse de nuevo, para tener otro PIN o en otro \
            dispositivo?
            """,
            .confirm: "Sí, confirmar",
            .confirmedTitle: "Confirmado",
            .confirmed: "El registro de {user} está confirmado. Vuelva al terminal y elija un PIN.",
            .notConfirmedTitle: "No confirmado",
            .notConfirmed: "Este enlace no es válido, ha caducado o ya se ha usado. Pida otro correo en el terminal.",
            .unreadableUser: "un identificador ilegible",
            .verifyTitle: "Registrarse en el terminal",
            .verify: "Muestre este código a la cámara del terminal para registrar a {user}.",
            .verifyType: "Para registrar a {user}, introduzca este código en el terminal: {code}",
            .verifyShow: "O muestre este código QR a la cámara del terminal.",
            .verifyNotYou: "Si no se ha registrado usted, cierre esta página.",
            .endTitle: "Eliminar un dispositivo",
            .endQuestion: """
            Se ha registrado un dispositivo para {user} con un código de otro dispositivo. Si no ha sido usted, \
            elimínelo aquí: ni ese dispositivo ni los que se hayan registrado con un código desde entonces podrán \
            iniciar sesión.
            """,
            .endNew: "Eliminar el dispositivo nuevo",
            .endAll: "Eliminar todos mis dispositivos",
            .endAllHelp: "Después deberá registrarse de nuevo, con un PIN nuevo.",
            .endedTitle: "Eliminado",
            .ended: """
            Dispositivos eliminados: {count}. Si no ha dado usted ese código, alguien conoce su PIN: elija otro.
            """,
            .notEndedTitle: "No se ha eliminado nada",
            .notEnded: "Este enlace no es válido, ha caducado o ya se ha usado. No se ha cambiado nada.",
            .asks: "{application} le pide que inicie sesión.",
            .decline: "No iniciar sesión",
            .refusedTitle: "Esta dirección no lleva a ninguna parte",
            .unknownApplication: "La aplicación que le ha enviado aquí no es conocida.",
            .badAddress:
                "La aplicación que le ha enviado aquí no ha indicado una dirección de retorno registrada para ella.",
            .brokenAddress: "La dirección que le ha traído aquí es incorrecta.",
            .loginFailed: "No se ha iniciado ninguna sesión.",
            .tryAgain: "Intentarlo de nuevo",
            .returnTitle: "Volver a la aplicación",
            .returning: "Ahora vuelve a la aplicación. Si no ocurre nada, pulse el botón.",
            .goOn: "Continuar",
            .fieldMissing: "Falta {field}.",
            .fieldTwice: "{field} aparece dos veces.",
            .registeredAddresses: "Estas direcciones están registradas:",
            .addressesInLog: "El registro de este servicio indica las direcciones registradas.",
            .fieldInvalid: "{field} no es válido.",
            .logoutAsks: "{application} pide cerrar su sesión.",
            .logoutMeans: "La próxima aplicación volverá a pedir su PIN. Las aplicaciones abiertas pueden seguir así.",
            .logoutRefused: """
            La aplicación que le ha enviado aquí envió una petición de cierre de sesión no válida. \
            No se ha cerrado ninguna sesión.
            """,
            .loggedOutTitle: "Sesión cerrada",
            .loggedOut: "La próxima aplicación volverá a pedir su PIN.",
            .mailConfirmSubject: "Confirme su registro",
            .mailRegistered: "Alguien ha registrado a {user} en {site}.",
            .mailAgainSubject: "Confirme su nuevo registro",
            .mailAgain: """
            {user} ya tiene un registro en {site}. Alguien pide registrarse de nuevo, para tener otro PIN o en otro \
            dispositivo.
            """,
            .mailNewPINSubject: "Elegir un PIN nuevo",
            .mailNewPIN: "Alguien ha pedido un PIN nuevo para {user} en {site}.",
            .mailOpenPage: "Si ha sido usted, abra esta página en el plazo de una hora y confirme:",
            .mailConfirmLink: "Confirmar el registro",
            .mailTypeCode: "Si ha sido usted, introduzca este código en el terminal en el plazo de una hora:",
            .mailOrShowPicture: "O abra esta página y muestre su código QR a la cámara del terminal:",
            .mailPictureLink: "Mostrar el código QR",
            .mailNotYou: "Si no ha sido usted, no haga nada.",
            .mailYou: "Si ha sido usted, no haga nada.",
            .mailDeviceSubject: "Se ha registrado un dispositivo nuevo para usted",
            .mailDevice: """
            Se ha registrado un dispositivo para {user} en {site}, con un código de otro de sus dispositivos, \
            {time}.
            """,
            .mailOtherDevices: "Otros dispositivos registrados para usted: {count}.",
            .mailEndDevice: """
            Si no ha sido usted, abra esta página en el plazo de {count} días y elimine el dispositivo
            """,
            .mailLoginSubject: "Nuevo inicio de sesión",
            .mailLogin: "{user} ha iniciado sesión en {site}, {time}.",
            .mailFromPlace: "Lugar del dispositivo: {place}.",
            .mailFromInternet: "El dispositivo estaba conectado por Internet.",
            .mailFromPrivate: "El dispositivo estaba conectado por una red privada.",
            .mailFromUnknown: "El dispositivo estaba conectado por una red desconocida.",
            .mailBrowserHere: "Inició sesión en un navegador del mismo lugar.",
            .mailBrowserElsewhere: "Inició sesión en un navegador de otro lugar.",
            .mailBrowserSomewhere: "Inició sesión en un navegador cuyo lugar no se conoce.",
            .mailNoBrowser: "No se inició sesión en ningún navegador.",
            .mailMoreLogins: "Otros inicios de sesión desde el correo anterior: {count}.",
            .mailLastOfHour: "Los demás inicios de sesión de esta hora figurarán en un correo posterior.",
            .mailTellService: "Si no ha sido usted, avise a los responsables del servicio.",
            .mailPINsSubject: "PIN incorrectos",
            .mailPINs: "En treinta días se han introducido {count} PIN incorrectos para {user} en {site}.",
            .mailPINsCopy: """
            Si no ha sido usted, es posible que alguien tenga una copia de su tarjeta o de su dispositivo. Avise a \
            su operador, que puede bloquearla.
            """,
            .notFoundTitle: "Página no encontrada",
            .notFound: "No hay ninguna página en esta dirección.",
            .busyTitle: "Servicio ocupado",
            .busy: "El servicio está ocupado. Inténtelo de nuevo en un momento.",
            .brokenTitle: "No ha funcionado",
            .broken: "Desde aquí no se puede continuar. Empiece de nuevo donde estaba antes.",
            .toLogin: "A la página de inicio de sesión",
        ])
}
