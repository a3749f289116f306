// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
public import LinuxSystem

/// Exit codes other than success, by sysexits(3) where one fits.
public enum ExitStatus: Int32 {
    case usage = 64
    case dataError = 65
    case noInput = 66
    case unavailable = 69
    case internalError = 70
    case cannotCreate = 73
    case ioError = 74
    case temporaryFailure = 75
    case notPermitted = 77
    case configuration = 78

    public var error: ExitCode { ExitCode(rawValue) }

    /// The status for a file that cannot be used.
    ///
    /// - Parameter other: for a reason without a code of its own.
    public init(_ fault: FileFault, else other: ExitStatus) {
        self = fault.isExposure ? .configuration : fault.cause == .locked ? .temporaryFailure : other
    }
}
