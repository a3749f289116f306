// SPDX-License-Identifier: Apache-2.0

import BackendValues
package import ReferenceBackend

extension Backend.TLS {
    /// The options of a listener with these files.
    package var options: [String] { ["--tls-cert", certificateChainFile, "--tls-key", privateKeyFile] }
}

/// A certificate for localhost and its key, made for these tests and valid until 2120.
package enum TestCertificate {
    package enum Key { case elliptic, rsa }

    /// - Returns: TLS settings with files in `folder`, which must outlive the listener.
    package static func tls(_ kind: Key = .elliptic, in folder: TemporaryFolder) throws -> Backend.TLS {
        let directory = try StateDirectory(path: folder.path)
        let (chainFile, keyFile) = (directory.file("chain.pem"), directory.file("key.pem"))
        try StateDirectory.create(chainFile, content: Array((kind == .rsa ? chainOfRSA : chain).utf8))
        try StateDirectory.create(keyFile, content: Array((kind == .rsa ? privateKeyOfRSA : privateKey).utf8))
        return Backend.TLS(certificateChainFile: chainFile, privateKeyFile: keyFile)
    }

    package static let chain = """
        -----BEGIN CERTIFICATE-----
        MIIBZzCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
        c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
        CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEpIg616id+kdVzQ
        yCo8jAINjZijnMr+yYZHGbMdql+SDU54+k0Apc65mbrGwrBibRjKyi6TZXSaU4Qk
        ooTw8E2jTjBMMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAPBgNVHRMBAf8E
        BTADAQH/MB0GA1UdDgQWBBTCpvY6RC6jQtgTVw9H4UrBVmEGlTAKBggqhkjOPQQD
        AgNIADBFAiEAwxTEvqTytcQE+E1SiGF+0vbYhUfGUADtk7HLmBUOBXsCIET7Qkzi
        XBPvHrHLupK+Q/kKMkAzcugWydiD5G9Z3WPl
        -----END CERTIFICATE-----

        """

    package static let privateKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRuq7FD4TY1TshGaJ
        /ewKdKfycZ7oyLtpTMhpK5KtxGmhRANCAARKSIOteonfpHVc0MgqPIwCDY2Yo5zK
        /smGRxmzHapfkg1OePpNAKXOuZm6xsKwYm0Yysouk2V0mlOEJKKE8PBN
        -----END PRIVATE KEY-----

        """

    /// Another certificate for that key, which has localhost only as its subject.
    package static let chainWithoutName = """
        -----BEGIN CERTIFICATE-----
        MIIBfzCCASWgAwIBAgIUFu/qQCByDux4vJsFx261DQa6JqIwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNjE4MzkxNVoYDzIxMTkxMjI5
        MTgzOTE1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAARKSIOteonfpHVc0MgqPIwCDY2Yo5zK/smGRxmzHapfkg1OePpNAKXO
        uZm6xsKwYm0Yysouk2V0mlOEJKKE8PBNo1MwUTAdBgNVHQ4EFgQUwqb2OkQuo0LY
        E1cPR+FKwVZhBpUwHwYDVR0jBBgwFoAUwqb2OkQuo0LYE1cPR+FKwVZhBpUwDwYD
        VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiAWdUWaRudDl12rmNsv82DT
        ONz7phbeL6VyL3evZTTzSQIhANJYQfzBPSMITerT4ZfE9wBgNrGKbj6p5Ux0xIvj
        yESh
        -----END CERTIFICATE-----

        """

    /// Another certificate for localhost, with an RSA key.
    package static let chainOfRSA = """
        -----BEGIN CERTIFICATE-----
        MIIC8zCCAdugAwIBAgIBAjANBgkqhkiG9w0BAQsFADAUMRIwEAYDVQQDDAlsb2Nh
        bGhvc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNV
        BAMMCWxvY2FsaG9zdDCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAL16
        XtDvSp8OfNTgSoTQ4+KT+bcxbFqWxCCJdoDsKYakl2LNMY/J8dFs2xlzOMNtrAUb
        WFfMjPi4bCaOyyMJzBygPBqazDS2Hy8FfXU+zw8KRI4/TrtVp/ifPwVFLmC4vyrA
        +K/6Ajt6UQe8O8s/K3kkq5vMLiMGyO0Gn2EyyXePovHjuVQLLp86diJVowxJc1qI
        qGmTyMwnmoQ4IqfPMGeqXUkkeWZkfUkU7ohXyngmFNnUcVHzIKlLNwVnpmBHp/D5
        Pnu75e+XA4ItmEdvnU79nH5vKZKeFszIF6h2kUKavrKvwIA7onhy8aPwBQO382JL
        KRgZtJkLC02wWA2AvYsCAwEAAaNOMEwwGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/
        AAABMA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYEFL0xjs8FU8ZnsmCobJqkNcLD
        EGp3MA0GCSqGSIb3DQEBCwUAA4IBAQBGbDxATPUdxefI0tTyqj+g58AYhMbyTWA6
        n47K64GTWfuALAycg5yV5ATJDzHFiQE2As2MFhJ7W714Kc/xN7R8OXyw3pCc2b54
        /MD58ZUgXLixlAqniRxfEqw26KhIkPBvmKZXWDRLv8Hwm7W079MnT9EgzvYvBg/Q
        7Ngje08C2dlJn1Xrp3PwOdFiICAkVNPRPK3qux+alsIxhoT7PXc2xqMJ8b6UxL3Q
        3UYWHsvs6QSYgOPQxcGItOk7qFRdd6ujVz9sGSEqXHUdLiYhh7XcR692PZ9E2pO6
        Ann9tHAgN6EuKUUR7YDRLd59WrpvECnXu0dMcpcV5ZJK6I05F5N2
        -----END CERTIFICATE-----

        """

    package static let privateKeyOfRSA = """
        -----BEGIN PRIVATE KEY-----
        MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQC9el7Q70qfDnzU
        4EqE0OPik/m3MWxalsQgiXaA7CmGpJdizTGPyfHRbNsZczjDbawFG1hXzIz4uGwm
        jssjCcwcoDwamsw0th8vBX11Ps8PCkSOP067Vaf4nz8FRS5guL8qwPiv+gI7elEH
        vDvLPyt5JKubzC4jBsjtBp9hMsl3j6Lx47lUCy6fOnYiVaMMSXNaiKhpk8jMJ5qE
        OCKnzzBnql1JJHlmZH1JFO6IV8p4JhTZ1HFR8yCpSzcFZ6ZgR6fw+T57u+XvlwOC
        LZhHb51O/Zx+bymSnhbMyBeodpFCmr6yr8CAO6J4cvGj8AUDt/NiSykYGbSZCwtN
        sFgNgL2LAgMBAAECggEAA4o5Van2Bb0djYfLNjc43ejQOrq/pxZqzGwFCY+TKKLQ
        LG/5w95ZmDhyaqobOC6tjtx3hnYARD1RBL9laCtf46dsUaSGucCVTVzK5T/d9A5h
        c+h9R6uBm3fnxrXUkfxubEjcQvcAYUZ9vdx0bLp3Zqhnh5E4lqSJaHQ+BT2pQ4SK
        wYcW5K/2SK1ihjDmP3c0N0j9rNqSlxtaGms3X7Oza7BBpiU6WW66BjqMwmOwo89v
        9r3Myzyrmj3XmCAJyVo5IATp0V08J8lBngvb7NDth/74Iz47jQtEMRsGvVKgQGtA
        j3ZcWU8oiUFPPMR5iuHtYLS9LW/atUUsJpKG9uw9YQKBgQD94SfxIeaHgWfY3KIY
        yM+e1oLUSank7LMyj76+yg02tRfW0xENU1gni+zcTq5+HL1ZBOTA0A88OsQqk1T4
        G0CcdVfL1boIWT74hFxsAuGyAhiInwPnfWm9ue2CuECTIyfnsvsNdIsLa6JZjXNc
        6B/kJRL/S1sKlA2sFbcrECyi2QKBgQC/D4LoRh6t1zjlnqPPGcYreaae93eYwQZC
        c6eZSGptkrEwkejVUEsW5e7TuPCsOJoKaMPLuN2HKGRgFdG3bewD58KEUhIbbeeu
        eN3kHmggzKosFPM/DlfM/pxkMOh4bSnf4b1vyk7wc2GCqWgEqApqLs9lTz9C1RfW
        XXdkDSJdAwKBgFfcyW75VYgF8AOsb+j17mzBPmvrxoF0rZvNBa2PzbzmNYbiax9a
        fcLJ+UJRdLAukBUzzVsxZmRoziUR8jEfdV/weF8R650iDdoCLN4wrR1m/kiiB77g
        t2yy4REBZU/GtfPJDHuentRn/rrRamB38TmK3yU9Vhe2H3kz1r1vjpMZAoGBAIfT
        wC3ew6q0qedb+3qdCSwZJOI4bdazyv5s+EZZnAff1IYCBPO5TFiwCDSOctMMvj4O
        Mrve5eZTSeChQmFUDQjNt5SYP/UuEhoQJTcqgr5mocgK8M7wJG1AyO/VcT9D5BQc
        iK8ztSDt9fGM+7zrtdO9CYYta3zYv0SPV/RR/g7/AoGBAL8XA/2T6WejnPR3Joee
        zPQ6TE+sKwUbsITUG6Fk22NjlhFK7tL5gkmsaBaBIvnPVJtW7YG1tdYKHQUUryH7
        VBmoxe2jaSL2Vev0F5ANPDzwlMhum8LTG5hLoVoBZl2CTDGpTi0vhCHaz4Xj/FD8
        qZyR/0GxdoV8sc81TgyBpIvk
        -----END PRIVATE KEY-----

        """
}
