// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import HostIntegration
import LoginValues

/// What every command that talks to services as a kiosk needs.
struct KioskOptions: ParsableArguments {
    @OptionGroup var places: DirectoryOptions
    @Option(help: "Company id of this kiosk, sent as X-MIRACL-CID.") var companyID: String?
    @Option(help: "PEM file of the certificate authorities to believe instead of the system's.") var caFile: String?
    @Flag(help: "Allow http to listed loopback hosts. For trials on one machine only.") var allowLoopbackHTTP = false
    @OptionGroup var logging: LoggingOptions

    /// The trust list of the configuration directory as a policy.
    func trustPolicy() throws -> TrustPolicy {
        let file = TrustFile(path: try places.directories().trustFile)
        let entries: [TrustEntry]
        do { entries = try file.entries() } catch { throw Complaint.make("\(error)", status: .configuration) }
        return TrustPolicy(entries: entries, allowsLoopbackHTTP: allowLoopbackHTTP)
    }
}
