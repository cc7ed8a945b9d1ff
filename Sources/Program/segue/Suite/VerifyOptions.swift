import ArgumentParser
import SegueStores
import SegueSuite

/// The options that say whether content is verified that was verified before.
struct VerifyOptions: ParsableArguments {
    /// How often the same content is verified.
    enum Often: String, ExpressibleByArgument, CaseIterable {
        /// Not again by the same program.
        case once
        /// Anew.
        case again
    }

    @Option(
        help: ArgumentHelp(
            "Whether content that this very program verified before, of the same bytes, is verified again.",
            valueName: "once|again"
        )
    )
    var verify = Often.once

    @Option(
        help: ArgumentHelp(
            "Where to keep what was verified; 'none' for nowhere. (default: segue's folder under your caches)",
            valueName: "dir|none"
        ),
        completion: .directory
    )
    var verifiedCache: String?

    @Option(help: ArgumentHelp("How much may be kept of what was verified.", valueName: "size"))
    var verifiedCacheSize = ByteCount(VerifiedStore.usualLimit)

    func validate() throws {
        guard verifiedCacheSize.bytes >= 1 << 20 else {
            throw ValidationError("--verified-cache-size must be 1M at the least")
        }
    }

    /// What was verified before; nil where nothing is kept.
    ///
    /// Told on standard error where it cannot be; in workers, which come to the same, nobody is.
    func content() -> VerifiedContent? {
        guard let folder = verifiedCache ?? UserCaches.folder(), folder != "none" else { return nil }
        let limit = verifiedCacheSize.bytes
        // Closed at once: workers are copies of this process, and a connection is not to be copied.
        _ = VerifiedStore(folder: folder, limit: limit, notice: { StandardError.write("segue: \($0)\n") })
        return VerifiedContent(isBelieved: verify == .once) { VerifiedStore(folder: folder, limit: limit) }
    }
}

extension VerifiedStore: VerificationKeeping {}
