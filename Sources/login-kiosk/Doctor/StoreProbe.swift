// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import SQLiteStore

/// Looks into the store beside the kiosk that may have it open.
enum StoreProbe {
    static func check(_ places: KioskDirectories) async -> CheckResult {
        await StoreCheck.judge(StoreFacts(of: places)) {
            let location = StoreLocation(directory: places.state, keyFile: places.identityKeyFile)
            do throws(StoreOpeningError) {
                let storage = try SQLiteIdentityStorage(at: location, .reading)
                guard let identities = try? await storage.identities() else {
                    return .refused("the identities in \(places.state) cannot be read")
                }
                return .opened(identities: identities.count, damaged: storage.health.damagedRows.count)
            } catch {
                return .refused(error.description)
            }
        }
    }
}
