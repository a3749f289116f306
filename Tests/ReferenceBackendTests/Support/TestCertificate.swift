// SPDX-License-Identifier: Apache-2.0

/// A certificate for localhost and its key, made for these tests and good until 2120.
enum TestCertificate {
    static let chain = """
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

    static let privateKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRuq7FD4TY1TshGaJ
        /ewKdKfycZ7oyLtpTMhpK5KtxGmhRANCAARKSIOteonfpHVc0MgqPIwCDY2Yo5zK
        /smGRxmzHapfkg1OePpNAKXOuZm6xsKwYm0Yysouk2V0mlOEJKKE8PBN
        -----END PRIVATE KEY-----

        """
}
