using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Keeps passwords off the wire: LDAP binds with a password in the clear (RFC 4513 §5.1.3) are dropped on their way to
/// the servers, while anonymous binds, SASL and StartTLS pass. The messages are read as BER (RFC 4511 §5.1).
/// </summary>
/// <param name="allowAnonymous">False to drop binds without a name and password, too.</param>
public sealed class LdapBindFilter(bool allowAnonymous = true) : Service
{
    private const ushort Port = 389;
    private const byte Integer = 0x02, OctetString = 0x04, Sequence = 0x30;
    private const byte BindRequest = 0x60, UnbindRequest = 0x42, SearchRequest = 0x63, ExtendedRequest = 0x77;
    private const byte SimpleAuthentication = 0x80, SaslAuthentication = 0xA3;

    private enum Bind
    {
        None,
        Anonymous,
        Unauthenticated,
        Simple,
        Sasl,
        Malformed,
    }

    /// <summary>Reads elements of BER, one behind the other.</summary>
    private ref struct BerReader(ReadOnlySpan<byte> bytes)
    {
        private ReadOnlySpan<byte> _rest = bytes;

        /// <summary>Reads an element: its tag, its length of one to five bytes, and what it contains.</summary>
        public bool TryRead(out byte tag, out ReadOnlySpan<byte> value)
        {
            tag = 0;
            value = default;
            if (_rest.Length < 2) return false;
            tag = _rest[0];
            var length = (int)_rest[1];
            var at = 2;
            if (length > 0x80)
            {
                var octets = length & 0x7F;
                if (octets > 4 || _rest.Length < at + octets) return false;
                length = 0;
                for (var i = 0; i < octets; i++) length = length << 8 | _rest[at++];
            }
            else if (length == 0x80) return false; // the indefinite form is not allowed (RFC 4511 §5.1)
            if (length < 0 || length > _rest.Length - at) return false;
            value = _rest.Slice(at, length);
            _rest = _rest[(at + length)..];
            return true;
        }
    }

    public Counter Sasl { get; } = new();

    public Counter Anonymous { get; } = new();

    public Counter Cleartext { get; } = new();

    public Counter Malformed { get; } = new();

    public Counter Searches { get; } = new();

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Tcp || !Tcp.TryParse(ip.Payload, out var tcp)
            || tcp.DestinationPort != Port || tcp.Payload.IsEmpty)
            return;

        switch (Classify(tcp.Payload))
        {
            case Bind.Sasl:
                Sasl.Increment();
                break;
            case Bind.Anonymous:
                Anonymous.Increment();
                if (!allowAnonymous) frame.Drop();
                break;
            case Bind.Simple or Bind.Unauthenticated:
                Cleartext.Increment();
                frame.Drop();
                break;
            case Bind.Malformed:
                Malformed.Increment();
                frame.Drop();
                break;
        }
    }

    private Bind Classify(ReadOnlySpan<byte> segment)
    {
        var messages = new BerReader(segment);
        if (!messages.TryRead(out var tag, out var message) || tag != Sequence) return Bind.Malformed;

        var fields = new BerReader(message);
        if (!fields.TryRead(out tag, out var messageId) || tag != Integer || messageId.Length is 0 or > 4)
            return Bind.Malformed;
        if (!fields.TryRead(out tag, out var operation)) return Bind.Malformed;
        if (tag == SearchRequest) Searches.Increment();
        if (tag != BindRequest) return Bind.None;

        // BindRequest ::= [APPLICATION 0] SEQUENCE { version INTEGER, name LDAPDN,
        //   authentication AuthenticationChoice }
        var bind = new BerReader(operation);
        if (!bind.TryRead(out tag, out var version) || tag != Integer || version.Length != 1
            || version[0] is < 2 or > 3)
            return Bind.Malformed;
        if (!bind.TryRead(out tag, out var name) || tag != OctetString) return Bind.Malformed;
        if (!bind.TryRead(out tag, out var credentials)) return Bind.Malformed;
        return tag switch
        {
            SaslAuthentication => Bind.Sasl,
            SimpleAuthentication when !credentials.IsEmpty => Bind.Simple,
            SimpleAuthentication => name.IsEmpty ? Bind.Anonymous : Bind.Unauthenticated,
            _ => Bind.Malformed,
        };
    }
}
