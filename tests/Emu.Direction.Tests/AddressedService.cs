using Emu.Protocols;

namespace Emu.Direction.Tests;

/// <summary>A service whose variables are in structs, or are reached by their addresses.</summary>
public sealed class AddressedService : Service
{
    private readonly Turns _turns = new(), _others = new();
    private Sums _sums;
    private MacAddress _last;
    private int _taken, _given, _aliased, _named, _tested, _chosen;

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        _sums.Short++;
        if (frame.Length > 100) _sums.Long = frame.Length > 150 ? 2 : 1;
        if (_last.IsIndividual) _named = _sums.Short;
        _last = new Ethernet(frame).Source;
        if (frame.Length > 100) _last = default;
        Take(out _taken);
        Give(ref _given);
        ref var alias = ref _aliased;
        alias++;
        if (frame.Length > 100) alias = 0;
        if (IsOdd(in _tested)) _tested = 1;
        Choose(this);
        if (frame.Length > 1000) (_given, _aliased, _chosen) = (0, 0, 0);
        _turns.Next();
        if (frame.Length > 100) _turns.Maybe(frame.Length);
        _others.Next();
        frame.Reply();
    }

    private static void Take(out int taken) => taken = 3;

    private static void Give(ref int given)
    {
        if (given < 9) given++;
    }

    private static bool IsOdd(in int number) => (number & 1) != 0;

    private static void Choose(AddressedService service) => service._chosen++;

    private struct Sums
    {
        public int Short, Long;
    }

    /// <summary>Has a method that always assigns, and one that may.</summary>
    private sealed class Turns
    {
        private int _turn;

        public int Last => _turn;

        public void Next() => _turn++;

        public void Maybe(int length)
        {
            if (length > 80) _turn = length;
        }
    }
}
