import SegueConcurrency
import SegueFFmpeg
import SeguePackager

/// Opens the files of items.
struct ItemOpener: Sendable {
    let library: Library
    let devices: Devices
    let catalogue: Catalogue
    let presentations: PresentationStore
    let growing: GrowingFiles
    /// The clock, in milliseconds since 1970.
    let now: @Sendable () -> Int64

    /// The current identity of an item's file.
    ///
    /// - Throws: ``OriginFailure`` with 404 if the file does not exist any more; ``PackagingError``.
    func identity(of item: LibraryItem) throws -> FileIdentity {
        try checkPresence(of: item)
        return try FileIdentity(ofFileAt: item.filePath)
    }

    /// The version of an item's file that is served: the current one, or an earlier one of a file that grows.
    ///
    /// - Throws: The errors of ``identity(of:)``.
    func version(of item: LibraryItem) throws -> FileIdentity {
        try checkPresence(of: item)
        return try growing.served(item.filePath)
    }

    private func checkPresence(of item: LibraryItem) throws(OriginFailure) {
        guard library.isPresent(item) else { throw .notFound("\(item.path): the file does not exist any more") }
    }

    /// The presentation of an item's current file for a device.
    ///
    /// - Throws: ``OriginFailure``, ``PackagingError``.
    func presentation(
        of item: LibraryItem,
        for device: DeviceProfile,
        in container: SegmentContainer?,
        _ cancellation: Cancellation
    ) throws -> any Presenting {
        try checkPresence(of: item)
        let identity = try growing.newest(item.filePath)
        do {
            let began = now()
            let presentation = try presentations.presentation(
                of: identity,
                for: device,
                in: container,
                cancellation: cancellation
            )
            if identity.growsFrom != nil {
                let layout = GrowingFiles.Layout(device: device, container: container)
                switch growing.serve(presentation, as: layout, openedFrom: began) {
                case .inPlace(of: let former?): presentations.close(former, for: device, in: container)
                case .inPlace(of: nil): break
                case .readdressed: return try self.presentation(of: item, for: device, in: container, cancellation)
                }
            }
            catalogue.learn(presentation, of: item)
            return presentation
        } catch let error as PackagingError {
            // An unreadable file is scanned again later.
            if ![.cancelled, .unreadable].contains(error.reason) { catalogue.learn(error, of: item, identity) }
            throw error
        }
    }

    /// The presentation that contains the piece of an address.
    ///
    /// - Throws: ``OriginFailure`` with 404 if the file has changed or the device is unknown; ``PackagingError``.
    func presentation(
        of item: LibraryItem,
        at address: SegmentAddress,
        _ cancellation: Cancellation
    ) throws -> any Presenting {
        let (identity, device) = try version(of: item, at: address)
        return try presentations.presentation(
            of: identity,
            for: device,
            in: address.container,
            cancellation: cancellation
        )
    }

    /// The rendition that contains the piece of an address; the file is not opened.
    ///
    /// - Throws: The errors of ``presentation(of:at:_:)``.
    func delivered(_ rendition: Rendition, of item: LibraryItem, at address: SegmentAddress) throws
        -> DeliveredRendition
    {
        let (identity, device) = try version(of: item, at: address)
        return DeliveredRendition(
            identity: identity,
            device: device,
            rendition: rendition,
            container: address.container
        )
    }

    /// The segment of an address; the file is not opened.
    ///
    /// - Throws: The errors of ``presentation(of:at:_:)``.
    func delivered(_ number: Int, _ rendition: Rendition, of item: LibraryItem, at address: SegmentAddress) throws
        -> DeliveredSegment
    {
        let delivered = try delivered(rendition, of: item, at: address)
        let (identity, device, container) = (delivered.identity, delivered.device, delivered.container)
        // Playlists may have been requested with or without a container.
        let isFinal = [container, nil].contains { container in
            growing.isFinal(number, of: identity, as: GrowingFiles.Layout(device: device, container: container))
        }
        return DeliveredSegment(number, of: delivered, unfinishedSize: isFinal ? nil : identity.size)
    }

    /// The subtitle file next to an item with a tag.
    ///
    /// - Throws: ``OriginFailure`` with 404 if it does not exist or has changed.
    func side(_ tag: String, of item: LibraryItem) throws(OriginFailure) -> SideSubtitles {
        guard let found = SideSubtitles.beside(item, in: library).first(where: { $0.tag == tag }) else {
            throw .notFound("\(item.path): the subtitle file does not exist any more, or has changed")
        }
        return found
    }

    /// The file, which must still have the version of the address, and the device.
    private func version(of item: LibraryItem, at address: SegmentAddress) throws -> (FileIdentity, DeviceProfile) {
        let device = try address.device.map(device(named:)) ?? .any
        let identity = try version(of: item)
        guard identity.tag == address.tag else {
            throw OriginFailure.notFound("\(item.path): the file has changed; reload its playlist")
        }
        return (identity, device)
    }

    private func device(named name: String) throws(OriginFailure) -> DeviceProfile {
        do {
            return try devices.named(name)
        } catch {
            throw .notFound("device \(error)")
        }
    }
}
