// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import MPinClient
import SQLiteStore

/// Reads the store beside a kiosk that may have it open.
enum StoreProbe {
    static func check(_ places: KioskDirectories) async -> CheckResult {
        let location = StoreLocation(places)
        return await StoreCheck.result(StoreFacts(of: places)) {
            do throws(IdentityStorageError) { try StoreSpace.check(location) } catch { return error.detail }
            return nil
        } open: {
            do throws(StoreOpeningError) {
                let storage = try SQLiteIdentityStorage(at: location, .reading)
                guard let identities = try? await storage.identities() else {
                    return .refused("the identities in \(places.state) cannot be read")
                }
                let health = storage.health
                return .opened(identities: identities.count, damaged: health.damagedRows.count, lost: health.lost)
            } catch {
                return .refused(error.description)
            }
        }
    }
}
