// SPDX-License-Identifier: Apache-2.0

extension PageWords {
    static let french = PageWords(
        language: "fr",
        [
            .logIn: "Se connecter",
            .holdCode: "Présentez ce code à la caméra de la borne et saisissez-y votre code PIN.",
            .orType: "Ou saisissez ce code sur la borne : {code}",
            .newCode: "Afficher un nouveau code",
            .picture: "Code QR pour la borne",
            .statusNew: "En attente de la borne ...",
            .statusScanned: "La borne a lu le code.",
            .statusUser: "Saisissez le code PIN sur la borne.",
            .statusDeclined: "Personne n’a été connecté. Pour réessayer, présentez le code à la caméra.",
            .statusNoSession: "La page n’a pas de code. Les cookies sont-ils autorisés pour elle ?",
            .statusSilent: "Le site ne répond pas. Nouvel essai en cours.",
            .loggedIn: "Connecté",
            .loggedInAs: "Vous êtes connecté en tant que {user}.",
            .protectedPage: "La page protégée",
            .welcome: "Bienvenue",
            .hello: "Bonjour, {user}. Seules les personnes connectées voient cette page.",
            .loginNeededTitle: "Non connecté",
            .loginNeeded: "Cette page est réservée aux personnes connectées.",
            .logOut: "Se déconnecter",
            .confirmTitle: "Confirmer l’inscription",
            .confirmQuestion: "Est-ce vous qui avez inscrit {user} ?",
            .confirmAgainQuestion: """
            {user} est déjà inscrit. Est-ce vous qui avez demandé une nouvelle inscription, pour un nouveau code PIN \
            ou sur un autre appareil ?
            """,
            .confirm: "Oui, confirmer",
            .confirmedTitle: "Confirmé",
            .confirmed: "L’inscription de {user} est confirmée. Retournez à la borne et choisissez un code PIN.",
            .notConfirmedTitle: "Non confirmé",
            .notConfirmed: """
            Ce lien n’est pas valable, a expiré ou a déjà servi. Demandez un autre e-mail à la borne.
            """,
            .unreadableUser: "un identifiant illisible",
            .verifyTitle: "S’inscrire sur la borne",
            .verify: "Présentez ce code à la caméra de la borne pour inscrire {user}.",
            .verifyType: "Pour inscrire {user}, saisissez ce code sur la borne : {code}",
            .verifyShow: "Ou présentez ce code QR à la caméra de la borne.",
            .verifyNotYou: "Si ce n’est pas vous qui vous êtes inscrit, fermez cette page.",
            .endTitle: "Supprimer un appareil",
            .endQuestion: """
            Un appareil a été enregistré pour {user} avec un code d’un autre appareil. Si ce n’était pas vous, \
            supprimez-le ici : ni cet appareil ni ceux qui ont été enregistrés depuis avec un code ne pourront plus \
            se connecter.
            """,
            .endNew: "Supprimer le nouvel appareil",
            .endAll: "Supprimer tous mes appareils",
            .endAllHelp: "Vous devrez ensuite vous inscrire de nouveau, avec un nouveau code PIN.",
            .endedTitle: "Supprimé",
            .ended: """
            Appareils supprimés : {count}. Si vous n’avez pas donné ce code, quelqu’un connaît votre code PIN : \
            choisissez-en un autre.
            """,
            .notEndedTitle: "Rien n’a été supprimé",
            .notEnded: "Ce lien n’est pas valable, a expiré ou a déjà servi. Rien n’a été modifié.",
            .asks: "{application} vous demande de vous connecter.",
            .decline: "Ne pas se connecter",
            .refusedTitle: "Cette adresse ne mène nulle part",
            .unknownApplication: "L’application qui vous a envoyé ici n’est pas connue.",
            .badAddress:
                "L’application qui vous a envoyé ici n’a pas indiqué d’adresse de retour enregistrée pour elle.",
            .brokenAddress: "L’adresse qui vous a mené ici est erronée.",
            .loginFailed: "Personne n’a été connecté.",
            .tryAgain: "Réessayer",
            .returnTitle: "Retour à l’application",
            .returning: "Vous revenez maintenant à l’application. S’il ne se passe rien, appuyez sur le bouton.",
            .goOn: "Continuer",
            .fieldMissing: "{field} manque.",
            .fieldTwice: "{field} figure deux fois.",
            .registeredAddresses: "Ces adresses sont enregistrées :",
            .addressesInLog: "Le journal de ce service indique les adresses enregistrées.",
            .fieldInvalid: "{field} n’est pas valide.",
            .logoutAsks: "{application} demande à vous déconnecter.",
            .logoutMeans: """
            La prochaine application demandera de nouveau votre PIN. Les applications ouvertes le restent \
            peut-être.
            """,
            .logoutRefused: """
            L’application qui vous a envoyé ici a envoyé une demande de déconnexion non valable. \
            Personne n’a été déconnecté.
            """,
            .loggedOutTitle: "Déconnecté",
            .loggedOut: "La prochaine application demandera de nouveau votre PIN.",
            .mailConfirmSubject: "Confirmez votre inscription",
            .mailRegistered: "Quelqu’un a inscrit {user} sur {site}.",
            .mailAgainSubject: "Confirmez votre nouvelle inscription",
            .mailAgain: """
            {user} est déjà inscrit sur {site}. Quelqu’un demande une nouvelle inscription, pour un nouveau code PIN \
            ou sur un autre appareil.
            """,
            .mailNewPINSubject: "Choisir un nouveau code PIN",
            .mailNewPIN: "Quelqu’un a demandé un nouveau code PIN pour {user} sur {site}.",
            .mailOpenPage: "Si c’était vous, ouvrez cette page dans l’heure et confirmez :",
            .mailConfirmLink: "Confirmer l’inscription",
            .mailTypeCode: "Si c’était vous, saisissez ce code sur la borne dans l’heure :",
            .mailOrShowPicture: "Ou ouvrez cette page et présentez son code QR à la caméra de la borne :",
            .mailPictureLink: "Afficher le code QR",
            .mailNotYou: "Si ce n’était pas vous, ne faites rien.",
            .mailYou: "Si c’était vous, ne faites rien.",
            .mailDeviceSubject: "Un nouvel appareil a été enregistré pour vous",
            .mailDevice: """
            Un appareil a été enregistré pour {user} sur {site}, avec un code donné par un autre de vos appareils, \
            {time}.
            """,
            .mailOtherDevices: "Autres appareils enregistrés pour vous : {count}.",
            .mailEndDevice: """
            Si ce n’était pas vous, ouvrez cette page dans les {count} jours et supprimez cet appareil
            """,
            .mailLoginSubject: "Nouvelle connexion",
            .mailLogin: "Connexion de {user} à {site}, {time}.",
            .mailFromPlace: "Lieu de l’appareil : {place}.",
            .mailFromInternet: "L’appareil était connecté par Internet.",
            .mailFromPrivate: "L’appareil était connecté par un réseau privé.",
            .mailFromUnknown: "L’appareil était connecté par un réseau inconnu.",
            .mailBrowserHere: "Il a ouvert une session dans un navigateur au même endroit.",
            .mailBrowserElsewhere: "Il a ouvert une session dans un navigateur à un autre endroit.",
            .mailBrowserSomewhere: "Il a ouvert une session dans un navigateur ; on ne sait pas où celui-ci se trouve.",
            .mailNoBrowser: "Aucun navigateur n’a été connecté.",
            .mailMoreLogins: "Autres connexions depuis l’e-mail précédent : {count}.",
            .mailLastOfHour: "Les autres connexions de cette heure figureront dans un e-mail ultérieur.",
            .mailTellService: "Si ce n’était pas vous, prévenez les responsables du service.",
            .mailPINsSubject: "Codes PIN incorrects",
            .mailPINs: "En trente jours, {count} codes PIN incorrects ont été saisis pour {user} sur {site}.",
            .mailPINsCopy: """
            Si ce n’était pas vous, quelqu’un a peut-être une copie de votre carte ou de votre appareil. Prévenez \
            votre exploitant, qui peut la bloquer.
            """,
            .notFoundTitle: "Page introuvable",
            .notFound: "Il n’y a pas de page à cette adresse.",
            .busyTitle: "Service occupé",
            .busy: "Le service est occupé. Réessayez dans un instant.",
            .brokenTitle: "Cela n’a pas fonctionné",
            .broken: "Cette page ne mène pas plus loin. Recommencez là d’où vous venez.",
            .toLogin: "Vers la page de connexion",
        ])
}
