namespace Emu.Protocols;

/// <content>What is asked of options, and of extension headers of IPv6.</content>
public sealed partial class IPHost
{
    /// <summary>RFC 1122 §3.2.1.8: a host ignores the options that it does not know.</summary>
    /// <returns>True if the packet may be answered; if not, it has been counted.</returns>
    private bool AreOptionsAccepted(IPv4Options options)
    {
        var isSourceRouted = false;
        while (options.MoveNext())
            isSourceRouted |= options.Type is IPv4OptionType.LooseSourceRoute or IPv4OptionType.StrictSourceRoute;
        if (options.IsMalformed) return Refuse(Counters.Malformed);
        return !isSourceRouted || Refuse(Counters.SourceRoutes);
    }

    /// <summary>Goes through the extension headers to the upper layer (RFC 8200 §4).</summary>
    /// <returns>True if the packet may be answered; if not, it has been counted.</returns>
    private bool AreExtensionsAccepted(ref IPv6Extensions extensions)
    {
        var isFirst = true;
        while (extensions.MoveNext())
        {
            if (!IsAccepted(extensions, isFirst)) return false;
            isFirst = false;
        }
        return !extensions.IsMalformed || Refuse(Counters.Malformed);
    }

    /// <summary>One extension header; hop-by-hop options stand before all others only (§4.1).</summary>
    private bool IsAccepted(IPv6Extensions extension, bool isFirst)
    {
        const int SegmentsLeftOffset = 3;
        var hasOptions = extension.Header == IPProtocol.DestinationOptions
            || extension.Header == IPProtocol.HopByHopOptions && isFirst;
        if (hasOptions) return AreOptionsAccepted(extension.Options);
        if (extension.IsFragment) return Refuse(Counters.Fragments);
        if (extension.Header == IPProtocol.Fragment) return true;
        if (extension.Header != IPProtocol.Routing) return Refuse(Counters.NotForUs);
        return extension.Bytes[SegmentsLeftOffset] == 0 || Refuse(Counters.SourceRoutes);
    }

    /// <summary>RFC 8200 §4.2: only padding is known here; the type of an unknown option says what is done.</summary>
    private bool AreOptionsAccepted(IPv6Options options)
    {
        var mustDiscard = false;
        while (options.MoveNext()) mustDiscard |= options.ActionIfUnknown != IPv6OptionAction.Skip;
        if (options.IsMalformed) return Refuse(Counters.Malformed);
        return !mustDiscard || Refuse(Counters.UnknownOptions);
    }
}
