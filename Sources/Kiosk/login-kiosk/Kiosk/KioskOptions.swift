// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration
import Logging
import LoginValues

/// Options of every command that talks to services as a kiosk.
struct KioskOptions: ParsableArguments {
    @OptionGroup var places: DirectoryOptions
    @Option(help: "Company id of this kiosk, sent as X-MIRACL-CID.") var companyID: String?
    @Option(help: "PEM file of certificate authorities to trust instead of the system's.") var caFile: String?
    @Flag(help: "Allow http to listed loopback hosts. For trials on one machine only.") var allowLoopbackHTTP = false
    @OptionGroup var logging: LoggingOptions

    /// The options as settings of the configuration.
    var settings: [String: String] {
        var settings: [String: String] = [:]
        settings[\.network.companyID] = companyID
        settings[\.network.authorityFile] = caFile
        if allowLoopbackHTTP { settings[\.network.allowsLoopbackHTTP] = "true" }
        settings[\.logLevel] = logging.logLevel?.rawValue
        return settings
    }

    /// - Parameter options: further settings by name from the command's options.
    func load(_ options: [String: String] = [:]) -> KioskConfiguration {
        places.load(settings.merging(options) { $1 })
    }

    func require(_ options: [String: String] = [:], mayLackProfile: Bool = false) throws -> KioskConfiguration {
        try places.require(settings.merging(options) { $1 }, mayLackProfile: mayLackProfile)
    }

    /// - Throws: a complaint about the trust list.
    static func trustPolicy(
        _ directories: KioskDirectories, _ configuration: KioskConfiguration
    ) throws -> TrustPolicy {
        do throws(TrustFileError) { return try TrustPolicy(directories, configuration) } catch {
            throw Complaint.make("\(error)", hint: error.hint, status: .configuration)
        }
    }
}

extension TrustPolicy {
    /// The trust list as a policy.
    init(_ directories: KioskDirectories, _ configuration: KioskConfiguration) throws(TrustFileError) {
        self.init(
            lines: try TrustFile(path: directories.trustFile).services(),
            allowsLoopbackHTTP: configuration[\.network.allowsLoopbackHTTP])
    }
}
