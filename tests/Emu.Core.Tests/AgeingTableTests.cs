namespace Emu.Core.Tests;

public sealed class AgeingTableTests
{
    private static MacAddress Key(ulong bits) => new(bits);

    private static AgeingTable<MacAddress, PortId> Table(int capacity = 16, int lifetime = 300) =>
        new(capacity, lifetime, 1);

    /// <summary>Keys that share a set: with a table of one set, all do.</summary>
    private static AgeingTable<MacAddress, PortId> OneSet(int lifetime = 300) =>
        Table(AgeingTable<MacAddress, PortId>.Ways, lifetime);

    [Fact]
    public void A_key_is_found_with_its_last_value()
    {
        var table = Table();
        Assert.False(table.TryGet(Key(1), 0, out _));
        table.Set(Key(1), new PortId(3), 0);
        table.Set(Key(1), new PortId(2), 1);
        Assert.True(table.TryGet(Key(1), 1, out var port));
        Assert.Equal(new PortId(2), port);
        Assert.Single(table.Entries(1));
    }

    [Theory]
    [InlineData(10)]
    [InlineData(300)]
    [InlineData(1_000_000)]
    public void A_key_is_found_for_its_lifetime_and_not_a_second_longer(int lifetime)
    {
        var table = Table(lifetime: lifetime);
        const ulong Set = 1_700_000_000;
        table.Set(Key(1), default, Set);
        Assert.True(table.TryGet(Key(1), Set + (ulong)lifetime - 1, out _));
        Assert.False(table.TryGet(Key(1), Set + (ulong)lifetime, out _));
        Assert.Empty(table.Entries(Set + (ulong)lifetime));
    }

    [Fact]
    public void Setting_again_renews()
    {
        var table = Table(lifetime: 10);
        table.Set(Key(1), default, 0);
        table.Set(Key(1), default, 9);
        Assert.True(table.TryGet(Key(1), 18, out _));
        Assert.False(table.TryGet(Key(1), 19, out _));
    }

    [Fact]
    public void A_table_holds_any_four_keys()
    {
        var table = OneSet();
        for (var i = 0UL; i < 4; i++) table.Set(Key(i), default, 0);
        for (var i = 0UL; i < 4; i++) Assert.True(table.TryGet(Key(i), 0, out _));
    }

    [Fact]
    public void A_table_holds_its_capacity_of_neighbours()
    {
        var table = Table(256);
        for (var i = 0UL; i < 256; i++) table.Set(Key(0x0200_0000_0000 + i), default, 0);
        Assert.Equal(256, table.Entries(0).Count());
    }

    [Fact]
    public void A_new_key_takes_an_expired_entry_before_a_live_one()
    {
        var table = OneSet(lifetime: 10);
        table.Set(Key(0), default, 5);
        table.Set(Key(1), default, 0); // expires first
        table.Set(Key(2), default, 5);
        table.Set(Key(3), default, 5);
        table.Set(Key(4), default, 10);
        Assert.False(table.TryGet(Key(1), 10, out _));
        foreach (var key in new ulong[] { 0, 2, 3, 4 }) Assert.True(table.TryGet(Key(key), 10, out _));
    }

    [Fact]
    public void A_full_set_gives_up_its_ways_in_turn()
    {
        var table = OneSet();
        for (var i = 0UL; i < 4; i++) table.Set(Key(i), default, 0);
        for (var i = 4UL; i < 10; i++)
        {
            table.Set(Key(i), default, 0);
            Assert.False(table.TryGet(Key(i - 4), 0, out _));
            Assert.Equal(4, table.Entries(0).Count());
        }
    }

    [Fact]
    public void A_permanent_entry_is_neither_changed_nor_expired_nor_replaced()
    {
        var table = OneSet(lifetime: 10);
        Assert.True(table.SetPermanent(Key(1), new PortId(7)));
        for (var i = 0UL; i < 20; i++) table.Set(Key(i), new PortId(2), 0);
        Assert.True(table.TryGet(Key(1), 1_000_000_000, out var port));
        Assert.Equal(new PortId(7), port);
        Assert.Null(Assert.Single(table.Entries(1_000_000_000)).TimeLeft);
    }

    [Fact]
    public void A_set_of_permanent_entries_takes_no_other()
    {
        var table = OneSet();
        for (var i = 0UL; i < 4; i++) Assert.True(table.SetPermanent(Key(i), default));
        Assert.False(table.SetPermanent(Key(4), default));
        Assert.False(table.Set(Key(4), default, 0));
        Assert.True(table.Set(Key(3), default, 0));
        Assert.False(table.TryGet(Key(4), 0, out _));
    }

    /// <summary>The contract as the documentation states it, written again in the plainest way.</summary>
    [Fact]
    public void A_million_random_operations_do_what_the_contract_says()
    {
        const int Capacity = 64;
        const ulong Lifetime = 20;
        var table = new AgeingTable<MacAddress, PortId>(Capacity, (int)Lifetime, 42);
        var model = new Model(new H3Hash(48, 4, 42), Capacity / 4, Lifetime);
        var random = new System.Random(7);
        var now = 0UL;
        for (var step = 0; step < 1_000_000; step++)
        {
            if (random.Next(10) == 0) now += (ulong)random.Next(4);
            var key = (ulong)random.Next(150);
            var value = (byte)random.Next(8);
            switch (random.Next(8))
            {
                case < 3:
                    table.Set(Key(key), new PortId(value), now);
                    model.Set(key, value, now);
                    break;
                case 3:
                    Assert.Equal(model.Remove(key, now), table.Remove(Key(key), now));
                    break;
                case 4:
                    ref var inPlace = ref table.GetOrAdd(Key(key), now, out var isNew);
                    Assert.Equal(model.Get(key, now), isNew ? null : inPlace.Index);
                    if (isNew) Assert.Equal(default, inPlace);
                    inPlace = new PortId(value);
                    model.Set(key, value, now);
                    break;
                default:
                    var found = table.TryGet(Key(key), now, out var read);
                    Assert.Equal(model.Get(key, now), found ? read.Index : null);
                    break;
            }
        }
    }

    [Fact]
    public void A_permanent_entry_is_not_removed()
    {
        var table = OneSet();
        table.SetPermanent(Key(1), new PortId(7));
        Assert.False(table.Remove(Key(1), 5));
        Assert.True(table.TryGet(Key(1), 5, out _));
    }

    [Fact]
    public void A_lifetime_may_be_less_than_a_second()
    {
        var table = new AgeingTable<MacAddress, PortId>(16, 250, 1, ticksPerSecond: 1000);
        table.Set(Key(1), default, 1_000);
        Assert.True(table.TryGet(Key(1), 1_249, out _));
        Assert.False(table.TryGet(Key(1), 1_250, out _));
        var shown = Assert.Single(((IControlTable)table).Rows(1_150_999_999));
        Assert.Equal("0.1", shown[2]);
        Assert.Throws<ArgumentOutOfRangeException>(
            () => new AgeingTable<MacAddress, PortId>(16, 250, 1, ticksPerSecond: 3));
    }

    [Fact]
    public void Keys_over_128_bits_are_told_apart_by_each_of_them()
    {
        var table = new AgeingTable<Wide, byte>(4, 10, 1);
        table.Set(new Wide(1, 2), 7, 0);
        Assert.True(table.TryGet(new Wide(1, 2), 0, out var value));
        Assert.Equal(7, value);
        Assert.False(table.TryGet(new Wide(1, 3), 0, out _));
        Assert.False(table.TryGet(new Wide(0, 2), 0, out _));
    }

    [Fact]
    public void Each_word_of_a_wide_key_chooses_the_set()
    {
        var table = new AgeingTable<Wide, byte>(1024, 10, 1);
        for (var i = 0UL; i < 256; i++)
        {
            Assert.True(table.Set(new Wide(i, 0), 0, 0));
            Assert.True(table.Set(new Wide(0, i), 0, 0));
        }
        Assert.Equal(511, table.Entries(0).Count());
    }

    private readonly record struct Wide(UInt128 Low, UInt128 High) : ITableKey<Wide>
    {
        public static int Width => 200;

        public UInt128 KeyBits => Low;

        public static UInt128 Word(Wide key, int index) => index == 0 ? key.Low : key.High;
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(100)]
    [InlineData(1 << 21)]
    public void A_capacity_that_is_no_power_of_two_in_range_is_refused(int capacity) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => Table(capacity));

    private sealed class Model(H3Hash hash, int sets, ulong lifetime)
    {
        private readonly (ulong Key, byte Value, ulong Expiry)?[,] _entries = new (ulong, byte, ulong)?[sets, 4];
        private int _turn;

        public byte? Get(ulong key, ulong now)
        {
            var way = Way(key, now);
            return way < 0 ? null : _entries[hash.Index(key), way]!.Value.Value;
        }

        public void Set(ulong key, byte value, ulong now)
        {
            var set = hash.Index(key);
            var way = Way(key, now);
            if (way < 0)
                way = Enumerable.Range(0, 4).Where(w => !(_entries[set, w]?.Expiry > now)).DefaultIfEmpty(-1).First();
            if (way < 0)
            {
                way = _turn;
                _turn = (_turn + 1) % 4;
            }
            _entries[set, way] = (key, value, now + lifetime);
        }

        public bool Remove(ulong key, ulong now)
        {
            var way = Way(key, now);
            if (way >= 0) _entries[hash.Index(key), way] = null;
            return way >= 0;
        }

        private int Way(ulong key, ulong now)
        {
            for (var way = 0; way < 4; way++)
            {
                if (_entries[hash.Index(key), way] is { } entry && entry.Key == key && entry.Expiry > now) return way;
            }
            return -1;
        }
    }
}
