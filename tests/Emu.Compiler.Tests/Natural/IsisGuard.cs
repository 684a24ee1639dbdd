using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Guards the IS-IS of a routed network at ports of customers and of other routers: messages are dropped whose lengths,
/// fields or checksum are wrong, that are not authenticated, or that come where no router is (ISO/IEC 10589:2002 §9;
/// the checksum is that of RFC 905 annex B; RFC 5304 for authentication).
/// </summary>
/// <param name="routers">The ports behind which there are routers.</param>
/// <param name="mustAuthenticate">True if a message must have an authentication field.</param>
public sealed class IsisGuard(PortSet routers, bool mustAuthenticate = true) : Service
{
    private const byte Sap = 0xFE, Unnumbered = 3, Discriminator = 0x83, Version = 1;
    private const byte AuthenticationField = 10, HmacMd5 = 54, GenericCryptography = 3;
    private const int LifetimeOffset = 10, CheckedOffset = 12, ChecksumOffset = 24;

    private enum Kind : byte
    {
        Hello1 = 15,
        Hello2 = 16,
        HelloPointToPoint = 17,
        State1 = 18,
        State2 = 20,
        Complete1 = 24,
        Complete2 = 25,
        Partial1 = 26,
        Partial2 = 27,
    }

    /// <summary>Messages that passed.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Messages dropped: they came where no router is.</summary>
    public Counter Unexpected { get; } = new();

    /// <summary>Messages dropped: lengths or fields were wrong.</summary>
    public Counter Malformed { get; } = new();

    /// <summary>Link states dropped: their checksum was wrong.</summary>
    public Counter Corrupt { get; } = new();

    /// <summary>Messages dropped: they were not authenticated.</summary>
    public Counter Unauthenticated { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (!ethernet.IsLength || !Llc.TryParse(ethernet.Payload, ethernet.Length, out var llc)) return;
        if (llc.Dsap != Sap || llc.Ssap != Sap || llc.Control != Unnumbered) return;
        if (llc.Payload.Length == 0 || llc.Payload[0] != Discriminator) return;

        var counter = Check(llc.Payload, routers.Contains(frame.Ingress));
        counter.Increment();
        if (counter != Passed) frame.Drop();
    }

    private Counter Check(Span<byte> message, bool isFromRouter)
    {
        if (!isFromRouter) return Unexpected;
        if (message.Length < 8) return Malformed;
        if (message[2] != Version || message[5] != Version || message[3] is not (0 or 6)) return Malformed;

        var kind = (Kind)(message[4] & 31);
        var header = HeaderLength(kind);
        if (header == 0 || message[1] != header || message.Length < header) return Malformed;
        var isHello = kind is Kind.Hello1 or Kind.Hello2 or Kind.HelloPointToPoint;
        var length = message.GetUInt16(isHello ? 17 : 8);
        if (length < header || length > message.Length) return Malformed;
        message = message[..length];

        // A link state whose lifetime is over is purged, and has no checksum.
        var isState = kind is Kind.State1 or Kind.State2;
        if (isState && message.GetUInt16(LifetimeOffset) != 0)
        {
            if (message.GetUInt16(ChecksumOffset) == 0 || !HasValidChecksum(message[CheckedOffset..])) return Corrupt;
        }

        var isAuthenticated = false;
        var rest = message[header..];
        while (rest.Length > 0)
        {
            if (rest.Length < 2 || rest.Length < 2 + rest[1]) return Malformed;
            var value = rest.Slice(2, rest[1]);
            if (rest[0] == AuthenticationField)
            {
                if (value.Length < 1 || isAuthenticated) return Malformed;
                if (value[0] is not (HmacMd5 or GenericCryptography)) return Unauthenticated;
                if (value[0] == HmacMd5 && value.Length != 17) return Malformed;
                isAuthenticated = true;
            }
            rest = rest[(2 + value.Length)..];
        }
        return mustAuthenticate && !isAuthenticated ? Unauthenticated : Passed;
    }

    private static int HeaderLength(Kind kind) => kind switch
    {
        Kind.Hello1 or Kind.Hello2 or Kind.State1 or Kind.State2 => 27,
        Kind.HelloPointToPoint => 20,
        Kind.Complete1 or Kind.Complete2 => 33,
        Kind.Partial1 or Kind.Partial2 => 17,
        _ => 0,
    };

    private static bool HasValidChecksum(ReadOnlySpan<byte> bytes)
    {
        var (c0, c1) = (0, 0);
        foreach (var value in bytes)
        {
            c0 = (c0 + value) % 255;
            c1 = (c1 + c0) % 255;
        }
        return c0 == 0 && c1 == 0;
    }
}
