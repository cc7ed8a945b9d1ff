import SeguePackager

extension Query {
    /// The device that is named, or nil where none is.
    ///
    /// - Throws: ``OriginFailure`` with 400 and the nearest name for one that is not known.
    func device(_ devices: Devices) throws(OriginFailure) -> DeviceProfile? {
        guard let name = try text("device") else { return nil }
        do {
            return try devices.named(name)
        } catch {
            throw .badQuery("device", "\(error)")
        }
    }
}
