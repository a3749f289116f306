// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
#if TLS
    import BackendTLS
#endif
import CommandLineInterface
import ReferenceBackend

/// The TLS settings of a listener.
struct TLSOptions: ParsableArguments {
    @Option(help: "PEM file of the certificate chain.") var tlsCert: String?
    @Option(help: "PEM file of the certificate's key.") var tlsKey: String?

    func validate() throws {
        if (tlsCert == nil) != (tlsKey == nil) { throw ValidationError("--tls-cert and --tls-key go together") }
    }

    func configuration() throws -> Backend.TLS? {
        guard let tlsCert, let tlsKey else { return nil }
        #if TLS
            return Backend.TLS(certificateChainFile: tlsCert, privateKeyFile: tlsKey, library: NIOTLS.connections)
        #else
            throw Complaint.make(
                "this backend was built without TLS, for the demonstration", hint: "build it whole: make build",
                status: .unavailable)
        #endif
    }
}
