import ArgumentParser
import SegueStores
import SegueSuite

/// The options for reusing earlier verifications.
struct VerifyOptions: ParsableArguments {
    /// The handling of content that was verified before.
    enum Often: String, ExpressibleByArgument, CaseIterable {
        /// It is not verified again by the same program.
        case once
        /// It is verified again.
        case again
    }

    @Option(
        help: ArgumentHelp(
            "Whether to verify content again if this version has already verified the same bytes.",
            valueName: "once|again"
        )
    )
    var verify = Often.once

    @Option(
        help: ArgumentHelp(
            "The folder for verification results; 'none' for no reuse. (default: ~/.cache/segue)",
            valueName: "dir|none"
        ),
        completion: .directory
    )
    var verifiedCache: String?

    @Option(help: ArgumentHelp("The maximum size of the verification results.", valueName: "size"))
    var verifiedCacheSize = ByteCount(VerifiedStore.usualLimit)

    func validate() throws {
        guard verifiedCacheSize.bytes >= 1 << 20 else {
            throw ValidationError("--verified-cache-size must be at least 1M")
        }
    }

    /// The earlier verifications; nil for none.
    ///
    /// Errors are reported on standard error, once and not in workers.
    func content() -> VerifiedContent? {
        guard let folder = verifiedCache ?? UserCaches.folder(), folder != "none" else { return nil }
        let limit = verifiedCacheSize.bytes
        // The store is closed at once: a connection must not be copied to forked workers.
        _ = VerifiedStore(folder: folder, limit: limit, notice: { StandardError.write("segue: \($0)\n") })
        return VerifiedContent(isBelieved: verify == .once) { VerifiedStore(folder: folder, limit: limit) }
    }
}

extension VerifiedStore: VerificationStore {}
