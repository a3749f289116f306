// SPDX-License-Identifier: Apache-2.0

// Folders are in nearly each test: their files import this module alone.
@_exported public import class Patience.TemporaryFolder
